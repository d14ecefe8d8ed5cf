import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

N_LOCAL = 12
TOL = 1e-4
MAXIT = 20000


def exchange(u):
    """Fill the two ghost cells of the local strip."""
    lo = rank - 1 if rank > 0 else MPI.PROC_NULL
    hi = rank + 1 if rank < size - 1 else MPI.PROC_NULL
    comm.Sendrecv(u[1:2], dest=lo, recvbuf=u[-1:], source=hi)
    comm.Sendrecv(u[-2:-1], dest=hi, recvbuf=u[0:1], source=lo)


def sweep(u):
    new = u.copy()
    new[1:-1] = 0.5 * (u[:-2] + u[2:])
    return new, np.abs(new - u).max()


def all_below(value, tol):
    ok = value < tol and comm.allreduce(True, op=MPI.LAND)
    return ok


u = np.zeros(N_LOCAL + 2)
if rank == 0:
    u[0] = 1.0

it = 0
while it < MAXIT:
    exchange(u)
    if rank == 0:
        u[0] = 1.0
    if rank == size - 1:
        u[-1] = 0.0
    u_new, diff = sweep(u)
    u = u_new
    it += 1
    if it % 10 == 0 and all_below(diff, TOL):
        break

its = comm.gather(it, root=0)
strips = comm.gather(u[1:-1], root=0)
if rank == 0:
    full = np.concatenate(strips)
    exact = 1.0 - np.arange(1, full.size + 1) / (full.size + 1)
    print("iterations", its)
    print("max error %.4f" % np.abs(full - exact).max())
    if len(set(its)) != 1:
        sys.exit("ranks disagree")
