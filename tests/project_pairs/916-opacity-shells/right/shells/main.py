"""Emergent flux of a stratified envelope."""
import argparse
import logging

import numpy as np
from mpi4py import MPI

from .opacity import TableStore
from .scratch import shared_scratch
from .transfer import ShellStack


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shells", type=int, default=240)
    parser.add_argument("--grid", type=int, nargs=2, default=(20, 12))
    args = parser.parse_args(argv)
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format=f"[{comm.rank}] %(message)s")

    temperatures = np.linspace(1.0, 3.0, args.grid[0])
    densities = np.linspace(0.1, 1.2, args.grid[1])
    with shared_scratch(comm) as directory:
        store = TableStore(comm, directory).prepare(temperatures, densities)
        stack = ShellStack(comm, args.shells, store.load())
        flux, depth = stack.emergent()
    if comm.rank == 0:
        print(f"optical depth {depth:.6f}   emergent flux {flux:.6f}")
