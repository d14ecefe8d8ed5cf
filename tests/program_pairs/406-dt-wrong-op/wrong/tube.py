'''
shock tube, Euler equations, Rusanov fluxes, MPI version of tube_serial.py

usage: tube.py [ncells] [tend]
'''
import sys
import numpy as np
from mpi4py import MPI

gam = 1.4
cfl = 0.45

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size

# which reduction belongs to which quantity
REDUCE = {"dt": MPI.MAX, "mass": MPI.SUM, "vmax": MPI.MAX, "energy": MPI.SUM}


def glob(what, value):
    '''global value of a local quantity, known everywhere'''
    return comm.allreduce(float(value), op=REDUCE[what])


def prim(U):
    r = U[0]
    u = U[1] / r
    p = (gam - 1) * (U[2] - 0.5 * r * u ** 2)
    return r, u, p


def flux(U):
    r, u, p = prim(U)
    return np.array([U[1], U[1] * u + p, u * (U[2] + p)])


def speed(U):
    r, u, p = prim(U)
    return abs(u) + np.sqrt(gam * np.maximum(p, 1e-12) / r)


def ghosts(U):
    # outflow at both ends of the tube
    if rank == 0:
        U[:, 0] = U[:, 1]
    if rank == size - 1:
        U[:, -1] = U[:, -2]
    # red-black ordering, so nobody waits in a circle
    for phase in (0, 1):
        if rank % 2 == phase:
            if rank + 1 < size:
                comm.Send(U[:, -2].copy(), dest=rank + 1)
                b = np.empty(3)
                comm.Recv(b, source=rank + 1)
                U[:, -1] = b
        else:
            if rank > 0:
                b = np.empty(3)
                comm.Recv(b, source=rank - 1)
                U[:, 0] = b
                comm.Send(U[:, 1].copy(), dest=rank - 1)


def run(ncells, tend):
    lo = ncells * rank // size
    hi = ncells * (rank + 1) // size
    n = hi - lo
    dx = 1.0 / ncells
    x = (np.arange(lo, hi) + 0.5) * dx

    U = np.zeros((3, n + 2))
    left = x < 0.3
    U[0, 1:-1] = np.where(left, 1.0, 0.125)
    U[2, 1:-1] = np.where(left, 10.0, 0.1) / (gam - 1)

    t = 0.0
    it = 0
    while t < tend and it < 3000:
        ghosts(U)
        dt = glob("dt", cfl * dx / speed(U[:, 1:-1]).max())
        if t + dt > tend:
            dt = tend - t
        F = flux(U)
        a = speed(U)
        s = np.maximum(a[1:], a[:-1])
        f = 0.5 * (F[:, 1:] + F[:, :-1]) - 0.5 * s * (U[:, 1:] - U[:, :-1])
        U[:, 1:-1] -= dt / dx * (f[:, 1:] - f[:, :-1])
        t += dt
        it += 1
        if it % 50 == 0:
            m = glob("mass", U[0, 1:-1].sum() * dx)
            if rank == 0:
                print("%6d  t = %.5f  dt = %.3e  mass = %.8f" % (it, t, dt, m))
    return it, t, U[:, 1:-1], dx


if __name__ == "__main__":
    ncells = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    tend = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
    np.seterr(all="ignore")
    it, t, U, dx = run(ncells, tend)
    e = glob("energy", U[2].sum() * dx)
    v = glob("vmax", abs(U[1] / U[0]).max())
    if rank == 0:
        print("done: t = %.4f, %d steps, energy %.6f, max velocity %.4f" % (t, it, e, v))
