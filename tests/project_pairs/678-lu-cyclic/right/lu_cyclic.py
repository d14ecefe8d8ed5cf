# LU factorisation without pivoting (diagonally dominant matrix),
# rows distributed cyclically:  row i lives on process i % size.
# Then forward and backward substitution, also row-cyclic.
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

n = 150

# set up A x = b on process 0 and deal the rows out
if rank == 0:
    rng = np.random.RandomState(21)
    A = rng.uniform(-1, 1, (n, n))
    A[np.arange(n), np.arange(n)] += n
    x_true = np.cos(np.arange(n))
    b = A.dot(x_true)
    deal = [(A[r::size], b[r::size]) for r in range(size)]
else:
    deal = None
rows, rhs = comm.scatter(deal, root=0)
mine = list(range(rank, n, size))          # global numbers of my rows

# --- factorisation -------------------------------------------------------
pivot = np.empty(n)
for k in range(n - 1):
    owner = k % size
    if rank == owner:
        pivot[k:] = rows[k // size, k:]
    comm.Bcast(pivot[k:], root=owner)
    for loc, i in enumerate(mine):
        if i > k:
            rows[loc, k] /= pivot[k]
            rows[loc, k + 1:] -= rows[loc, k] * pivot[k + 1:]

# --- forward substitution L y = b -----------------------------------------
y = rhs.copy()
for k in range(n - 1):
    owner = k % size
    yk = y[k // size] if rank == owner else None
    yk = comm.bcast(yk, root=owner)
    for loc, i in enumerate(mine):
        if i > k:
            y[loc] -= rows[loc, k] * yk

# --- backward substitution U x = y ----------------------------------------
x = np.zeros(n)
for k in range(n - 1, -1, -1):
    owner = k % size
    if rank == owner:
        x[k] = y[k // size] / rows[k // size, k]
    comm.Bcast(x[k:k + 1], root=owner)
    for loc, i in enumerate(mine):
        if i < k:
            y[loc] -= rows[loc, k] * x[k]

if rank == 0:
    print("n = %d on %d processes" % (n, size))
    print("error in x : %.3e" % np.abs(x - x_true).max())
    print("residual   : %.3e" % np.abs(A.dot(x) - b).max())
