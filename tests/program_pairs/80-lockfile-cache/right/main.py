"""Monte Carlo transmission through a slab with tabulated cross sections."""
import numpy as np
from mpi4py import MPI

from table import load_cross_sections


def transmit(rng, table, histories, thickness=0.4):
    energy = np.exp(rng.uniform(np.log(0.02), np.log(500.0), histories))
    sigma = np.interp(energy, table[0], table[1])
    path = rng.exponential(size=histories) / (0.2 * sigma)
    return int((path > thickness).sum())


def main():
    comm = MPI.COMM_WORLD
    table = load_cross_sections(comm)
    total = 400000
    mine = total // comm.size + (comm.rank < total % comm.size)
    streams = np.random.SeedSequence(99).spawn(comm.size)
    passed = transmit(np.random.default_rng(streams[comm.rank]), table, mine)
    passed = comm.reduce(passed, root=0)
    if comm.rank == 0:
        p = passed / total
        print(f"transmission {p:.4f} +- {np.sqrt(p * (1 - p) / total):.4f}")


if __name__ == "__main__":
    main()
