import numpy as np
from mpi4py import MPI

from matrix import RowMatrix, apply, dense


def uneven(n, size):
    """The last rank owns nothing once there are three or more."""
    shares = np.arange(size, 0, -1, dtype=float)
    if size > 2:
        shares[-1] = 0.0
    return np.rint(np.cumsum([0.0, *shares]) / shares.sum() * n).astype(int).tolist()


def power_iteration(comm, matrix, x, steps):
    for _ in range(steps):
        x = apply(matrix, x)
        x = x / np.sqrt(comm.allreduce(float(x @ x)))
    return x


def main(n=40, steps=15):
    comm = MPI.COMM_WORLD
    offsets = uneven(n, comm.size)
    mine = slice(offsets[comm.rank], offsets[comm.rank + 1])
    matrix, full = RowMatrix(comm, n, offsets), dense(n)

    start = np.cos(np.arange(n, dtype=float))
    once = apply(matrix, start[mine])
    assert np.allclose(once, apply(full, start)[mine])

    x = power_iteration(comm, matrix, start[mine], steps)
    whole = np.empty(n)
    comm.Allgatherv(x, [whole, np.diff(offsets).tolist()])
    assert np.allclose(whole, power_iteration(MPI.COMM_SELF, full, start, steps))

    traffic = matrix.plan.traffic
    assert (traffic == 0) == (comm.size == 1)
    rayleigh = comm.allreduce(float(x @ apply(matrix, x)))
    if comm.rank == 0:
        print(f"Rayleigh quotient {rayleigh:.10f}")


if __name__ == "__main__":
    main()
