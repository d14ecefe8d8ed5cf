import numpy as np
from mpi4py import MPI

from roles import LIKELIHOOD, role_of


def log_likelihood(samples, mu):
    return -0.5 * (samples - mu) ** 2 - 0.5 * np.log(2.0 * np.pi)


def main():
    comm = MPI.COMM_WORLD
    role = role_of(comm.rank)
    samples = np.random.default_rng(comm.rank).normal(1.0, 1.0, size=250)
    grid = np.linspace(0.0, 2.0, 21)
    local = np.array([log_likelihood(samples, mu).sum() for mu in grid])

    total = np.empty_like(local)
    comm.Reduce(local, total, op=LIKELIHOOD[role], root=0)
    if comm.rank == 0:
        best = grid[int(np.argmax(total))]
        print(f"most likely mean {best:.2f}, log likelihood {total.max():.3f}")


if __name__ == "__main__":
    main()
