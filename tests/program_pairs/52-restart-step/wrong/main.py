import logging
import os

from mpi4py import MPI

import checkpoint
from solver import Diffusion

log = logging.getLogger("diffusion")


def simulate(comm, until, every=25):
    problem = Diffusion(comm, 400)
    u, first = checkpoint.load(comm, problem.initial)
    if comm.rank == 0:
        log.info("starting at step %d", first)
    for step in range(first, until):
        u = problem.step(u)
        if (step + 1) % every == 0:
            heat = comm.allreduce(float(u.sum()))
            if comm.rank == 0:
                log.info("step %d heat %.6f", step + 1, heat)
    checkpoint.save(comm, u, until)
    return comm.allreduce(float((u * u).sum()))


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        for name in (checkpoint.STATE, checkpoint.META):
            if os.path.exists(name):
                os.remove(name)
    comm.Barrier()
    simulate(comm, 60)
    energy = simulate(comm, 150)
    if comm.rank == 0:
        log.info("final energy %.8f", energy)


if __name__ == "__main__":
    main()
