"""Lennard-Jones chain in one dimension, force loop split over the ranks."""
import numpy as np
from mpi4py import MPI

from trajectory import TrajectoryWriter

N = 48
STEPS = 60
DT = 0.002


def pair_forces(x, rows):
    f = np.zeros_like(x)
    for i in rows:
        d = x - x[i]
        d[i] = np.inf
        r = np.abs(d)
        f[i] = np.sum(-24.0 * (2.0 / r ** 13 - 1.0 / r ** 7) * np.sign(d))
    return f


def main():
    comm = MPI.COMM_WORLD
    rows = range(comm.rank, N, comm.size)
    rng = np.random.default_rng(8)
    x = 1.12 * np.arange(N) + rng.uniform(-0.02, 0.02, N)
    v = np.zeros(N)
    f = np.empty(N)

    comm.Allreduce(pair_forces(x, rows), f, op=MPI.SUM)
    with TrajectoryWriter(comm, "chain.xyz", every=10) as traj:
        for step in range(STEPS):
            v += 0.5 * DT * f
            x += DT * v
            comm.Allreduce(pair_forces(x, rows), f, op=MPI.SUM)
            v += 0.5 * DT * f
            traj.write(step, x)

    kinetic = 0.5 * float(np.dot(v, v))
    spread = comm.allreduce(kinetic, op=MPI.MAX) - comm.allreduce(kinetic, op=MPI.MIN)
    if comm.rank == 0:
        print(f"kinetic energy {kinetic:.6e}, frames {traj.frames}, spread {spread:.1e}")


if __name__ == "__main__":
    main()
