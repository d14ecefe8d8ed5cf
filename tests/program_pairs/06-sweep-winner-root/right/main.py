"""Random search over ridge penalties; the best model is shared at the end."""
import numpy as np
from mpi4py import MPI


def make_problem(seed=3, n=200, p=15):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    beta = rng.normal(size=p)
    y = x @ beta + rng.normal(scale=0.5, size=n)
    return (x[:150], y[:150]), (x[150:], y[150:])


def fit(x, y, lam):
    p = x.shape[1]
    return np.linalg.solve(x.T @ x + lam * np.eye(p), x.T @ y)


def mse(x, y, w):
    return float(np.mean((x @ w - y) ** 2))


def local_search(comm, train, valid, trials):
    rng = np.random.default_rng([99, comm.rank])
    decade = 3 - comm.rank % 7
    best = (np.inf, None, None)
    for _ in range(trials):
        lam = 10.0 ** (decade + rng.random())
        w = fit(*train, lam)
        loss = mse(*valid, w)
        if loss < best[0]:
            best = (loss, lam, w)
    return best


def share_best(comm, candidate):
    loss, lam, w = candidate
    best_loss, owner = comm.allreduce((loss, comm.rank), op=MPI.MINLOC)
    lam, w = comm.bcast((lam, w), root=owner)
    return best_loss, lam, w


def main():
    comm = MPI.COMM_WORLD
    train, valid = make_problem()
    candidate = local_search(comm, train, valid, trials=12)
    best_loss, lam, w = share_best(comm, candidate)
    check = mse(*valid, w)
    lams = comm.gather(lam, root=0)
    if comm.rank == 0:
        print(f"best loss {best_loss:.5f}, shared model gives {check:.5f}")
        print("penalties held:", [f"{v:.4g}" for v in lams])


if __name__ == "__main__":
    main()
