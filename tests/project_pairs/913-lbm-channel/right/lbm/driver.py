"""Body-force driven channel flow."""
import argparse

import numpy as np
from mpi4py import MPI

from .lattice import moments
from .solver import Channel
from .strip import Strip


class Probe:
    def __init__(self, comm):
        self.comm = comm

    def __call__(self, channel):
        rho, ux, _ = moments(channel.interior)
        total = self.comm.allreduce(np.array([rho.sum(), (rho * ux).sum()]))
        high = self.comm.allreduce(float(rho.max()), op=MPI.MAX)
        spread = high - self.comm.allreduce(float(rho.min()), op=MPI.MIN)
        return (*total, spread)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nx", type=int, default=36)
    parser.add_argument("--ny", type=int, default=16)
    parser.add_argument("--tau", type=float, default=0.8)
    parser.add_argument("--force", type=float, default=1e-5)
    parser.add_argument("--steps", type=int, default=400)
    args = parser.parse_args(argv)

    comm = MPI.COMM_WORLD
    channel = Channel(Strip(comm, args.nx, args.ny), args.tau, args.force)
    probe = Probe(comm)
    for step in range(args.steps + 1):
        if step % 100 == 0:
            mass, momentum, spread = probe(channel)
            if comm.rank == 0:
                print(f"{step:5d} mass {mass:.8f} momentum {momentum:.8f} spread {spread:.3e}")
        channel.step()
