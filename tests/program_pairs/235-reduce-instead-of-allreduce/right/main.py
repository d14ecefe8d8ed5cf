import numpy as np
from mpi4py import MPI

# Power iteration with a row-distributed matrix

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()
n = 24


def build_rows(lo, hi):
    i = np.arange(lo, hi)[:, None]
    j = np.arange(n)[None, :]
    return 1.0 / (1.0 + np.abs(i - j))


def partition(n, size, rank):
    base, extra = divmod(n, size)
    lo = rank * base + min(rank, extra)
    return lo, lo + base + (1 if rank < extra else 0)


def norm(v):
    part = np.array([np.dot(v, v)])
    total = np.zeros(1)
    comm.Allreduce(part, total, op=MPI.SUM)
    return np.sqrt(total[0])


lo, hi = partition(n, size, rank)
A = build_rows(lo, hi)
counts = comm.allgather(hi - lo)

x = np.ones(n) / np.sqrt(n)
lam = 0.0
for it in range(60):
    y = A @ x
    lam = norm(y)
    y_scaled = y / max(lam, 1e-30)
    comm.Allgatherv(y_scaled, [x, counts])

residual = comm.allreduce(float(np.abs(A @ x - lam * y_scaled).max()), op=MPI.MAX)
i, j = np.indices((n, n))
exact = np.linalg.eigvalsh(1.0 / (1.0 + np.abs(i - j)))[-1]
if rank == 0:
    print("lambda = %.6f  exact = %.6f  residual = %.2e" % (lam, exact, residual))
    assert abs(lam - exact) < 1e-6
