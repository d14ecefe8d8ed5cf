"""Replica exchange for a chain of double wells."""
import argparse

import numpy as np
from mpi4py import MPI

from .model import DoubleWellChain
from .streams import Streams
from .swap import Exchanger
from .walker import Walker


def sample(walker, exchanger, args):
    for cycle in range(args.cycles):
        for _ in range(args.sweeps):
            walker.sweep()
        exchanger.attempt(walker)
        if cycle >= args.cycles // 5:
            yield walker.energy


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=800)
    parser.add_argument("--sweeps", type=int, default=4)
    parser.add_argument("--beta", type=float, nargs=2, default=(0.5, 2.0))
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args(argv)

    comm = MPI.COMM_WORLD
    betas = np.geomspace(*args.beta, comm.size)
    streams = Streams.spawn(args.seed, comm.rank, comm.size)
    walker = Walker(DoubleWellChain(), betas[comm.rank], streams.common)
    exchanger = Exchanger(comm, betas, streams.common)

    energies = np.fromiter(sample(walker, exchanger, args), float)
    row = (betas[comm.rank], energies.mean(), energies.std() / np.sqrt(energies.size),
           walker.accepted / walker.tried, exchanger.done / max(exchanger.tried, 1))
    rows = comm.gather(row, root=0)
    if comm.rank == 0:
        print("  beta    energy      err    moves    swaps")
        for r in rows:
            print("{:6.3f} {:9.4f} {:8.4f} {:8.3f} {:8.3f}".format(*r))
