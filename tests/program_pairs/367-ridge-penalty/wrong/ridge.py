"""Poisson regression with a ridge penalty, samples spread over the ranks.

Minimises  sum_i [exp(x_i w) - y_i x_i w] + lam/2 |w|^2  by gradient descent
with backtracking; all ranks keep the same w.
"""
import numpy as np
from mpi4py import MPI

N, P = 600, 6


def make_data():
    rng = np.random.default_rng(8)
    x = rng.normal(0, 0.5, (N, P))
    w = np.linspace(-1, 1, P)
    return x, rng.poisson(np.exp(x @ w)).astype(float)


class PoissonRidge:
    def __init__(self, comm, x, y, lam):
        self.comm = comm
        self.x, self.y, self.lam = x, y, lam

    def value_and_grad(self, w):
        eta = self.x @ w
        mu = np.exp(eta)
        buf = np.empty(w.size + 1)
        buf[0] = mu.sum() - self.y @ eta + 0.5 * self.lam * w @ w
        buf[1:] = self.x.T @ (mu - self.y) + self.lam * w
        self.comm.Allreduce(MPI.IN_PLACE, buf, op=MPI.SUM)
        return buf[0], buf[1:]

    def fit(self, steps=400):
        w = np.zeros(self.x.shape[1])
        rate = 1e-3
        f, g = self.value_and_grad(w)
        for _ in range(steps):
            trial = w - rate * g
            ft, gt = self.value_and_grad(trial)
            if ft <= f:
                w, f, g = trial, ft, gt
                rate *= 1.2
            else:
                rate *= 0.5
            if np.linalg.norm(g) < 1e-9:
                break
        return w


def main():
    comm = MPI.COMM_WORLD
    x, y = make_data()
    mine = slice(comm.rank, None, comm.size)
    w = PoissonRidge(comm, x[mine], y[mine], lam=25.0).fit()
    serial = PoissonRidge(MPI.COMM_SELF, x, y, lam=25.0).fit()
    if comm.rank == 0:
        print("parallel", np.round(w, 5))
        print("serial  ", np.round(serial, 5))
        if not np.allclose(w, serial, atol=1e-5):
            raise SystemExit("fits differ")


if __name__ == "__main__":
    main()
