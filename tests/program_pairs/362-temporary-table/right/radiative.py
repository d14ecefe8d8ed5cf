"""Radiative transfer through columns of a toy atmosphere.

The opacity table is made once by rank 0 and handed over through a file, since
with real line lists it would be too large for a message.
"""
import argparse

import numpy as np
from mpi4py import MPI

from lookup import load_opacities


class Column:
    def __init__(self, index, levels=40):
        rng = np.random.default_rng(index)
        self.temperature = 290.0 - 1.8 * np.arange(levels) + rng.normal(0, 1.0, levels)
        self.humidity = rng.uniform(0.5, 1.0, levels) * np.exp(-np.arange(levels) / 8.0)

    def outgoing(self, table, t_axis):
        flux = 5.67e-8 * self.temperature[0] ** 4
        for t, q in zip(self.temperature, self.humidity):
            k = np.array([np.interp(t, t_axis, row) for row in table])
            transmission = np.exp(-k * q).mean()
            flux = flux * transmission + (1 - transmission) * 5.67e-8 * t**4
        return flux


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--columns", type=int, default=9)
    ap.add_argument("--bands", type=int, default=24)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    table, t_axis = load_opacities(comm, args.bands)
    mine = [Column(k).outgoing(table, t_axis) for k in range(comm.rank, args.columns, comm.size)]
    total, n = comm.allreduce(sum(mine)), comm.allreduce(len(mine))
    if comm.rank == 0:
        print(f"{n} columns, mean outgoing flux {total / n:.2f} W/m2")


if __name__ == "__main__":
    main()
