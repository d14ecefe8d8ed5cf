# dominant eigenvalue of a symmetric matrix, rows distributed
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

N = 240
MAXIT = 500
TOL = 1e-10

counts = [N // size + (1 if r < N % size else 0) for r in range(size)]
displs = [sum(counts[:r]) for r in range(size)]
lo = displs[rank]
hi = lo + counts[rank]

# every rank builds only its rows
i = np.arange(lo, hi)[:, None]
j = np.arange(N)[None, :]
A = 1.0 / (1.0 + np.abs(i - j)) + (i == j) * (1.0 + 0.5 * np.cos(i))

x = np.ones(N) / np.sqrt(N)
y_full = np.empty(N)

lam_old = 0.0
done = False
t0 = MPI.Wtime()
for it in range(MAXIT):
    y = A @ x
    comm.Allgatherv(y, [y_full, counts, displs, MPI.DOUBLE])

    part = float(np.dot(x[lo:hi], y))
    lam = comm.reduce(part, op=MPI.SUM, root=0)

    if rank == 0:
        if it % 10 == 0:
            print("it", it, "lambda", lam, flush=True)
        done = abs(lam - lam_old) < TOL * abs(lam)
        lam_old = lam

    x = y_full / np.linalg.norm(y_full)

    if done:
        break

elapsed = comm.reduce(MPI.Wtime() - t0, op=MPI.MAX, root=0)
if rank == 0:
    print("converged after", it + 1, "iterations")
    print("lambda =", lam, " time =", round(elapsed, 3))
    if N <= 400:
        ii = np.arange(N)[:, None]
        full = 1.0 / (1.0 + np.abs(ii - j)) + (ii == j) * (1.0 + 0.5 * np.cos(ii))
        print("numpy  =", np.linalg.eigvalsh(full)[-1])
