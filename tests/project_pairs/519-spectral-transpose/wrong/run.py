import logging
import os
import sys

from mpi4py import MPI

from spectral import RowBlocks, Transposer, VorticitySolver

SETUP = {
    "n": int(os.environ.get("SPECTRAL_N", "256")),
    "viscosity": 0.01,
    "dt": 0.05,
    "steps": 10,
}


class EnergyLog:
    def __init__(self, every):
        self.every = every
        self.values = []

    def __call__(self, k, solver):
        if k % self.every:
            return
        e = solver.energy()
        self.values.append(e)
        logging.info("step %3d  energy %.8f", k, e)


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    blocks = RowBlocks(comm, SETUP["n"])
    transposer = Transposer(blocks)
    solver = VorticitySolver(blocks, transposer, SETUP["viscosity"])
    solver.initialise()
    start = solver.energy()
    history = EnergyLog(every=5)
    solver.run(SETUP["steps"], SETUP["dt"], history)
    moved = comm.allreduce(transposer.exchanged, op=MPI.SUM)
    if comm.rank == 0:
        print(f"energy {start:.8f} -> {history.values[-1]:.8f}, {moved / 2**20:.1f} MiB exchanged")


if __name__ == "__main__":
    main()
