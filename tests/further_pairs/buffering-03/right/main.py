import numpy as np
from mpi4py import MPI

from particles import make_cloud, momentum

N_PARTICLES = 50_000


def swap_velocities(comm: MPI.Intracomm, vel: np.ndarray) -> np.ndarray:
    partner = comm.size - 1 - comm.rank
    if partner == comm.rank:
        return vel
    received = np.empty_like(vel)
    if comm.rank < partner:
        comm.Send([vel, MPI.DOUBLE], dest=partner, tag=21)
        comm.Recv([received, MPI.DOUBLE], source=partner, tag=21)
    else:
        comm.Recv([received, MPI.DOUBLE], source=partner, tag=21)
        comm.Send([vel, MPI.DOUBLE], dest=partner, tag=21)
    return received


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    pos, vel = make_cloud(N_PARTICLES, comm.rank)
    vel = swap_velocities(comm, vel)
    pos += 0.01 * vel
    p = np.zeros(3)
    comm.Allreduce(momentum(vel), p, op=MPI.SUM)
    if comm.rank == 0:
        print("momentum", np.round(p, 6))
