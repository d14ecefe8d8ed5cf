import numpy as np
from mpi4py import MPI


def stable_dt(slab, cfl):
    """Largest time step allowed by the CFL condition."""
    speed = float(np.abs(slab.interior).max())
    speed = slab.comm.allreduce(speed, op=MPI.MAX)
    return cfl * slab.dx / max(speed, 1e-12)


def rusanov_update(slab, dt):
    u = slab.u
    f = 0.5 * u * u
    a = np.maximum(np.abs(u[:-1]), np.abs(u[1:]))
    flux = 0.5 * (f[:-1] + f[1:]) - 0.5 * a * (u[1:] - u[:-1])
    slab.u[1:-1] -= dt / slab.dx * (flux[1:] - flux[:-1])
