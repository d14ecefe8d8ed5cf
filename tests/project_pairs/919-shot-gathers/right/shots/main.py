"""Synthetic shot gathers of a seismic line."""
import argparse

import numpy as np
from mpi4py import MPI

from .geometry import Line
from .link import Collector, Worker
from .modelling import DT, Layer


class Picker:
    """First strong arrival on the near trace of every shot."""

    def __init__(self):
        self.rows = []

    def add(self, head, data):
        near = np.abs(data[0])
        first = int(np.argmax(near > 0.4 * near.max())) * DT
        self.rows.append((head.shot, first, head.peak, float(np.abs(data).max())))

    def write(self):
        print("shot   first    peak(header)  peak(data)")
        for row in self.rows:
            print("{:4d} {:7.3f} {:12.5f} {:12.5f}".format(*row))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=12)
    args = parser.parse_args(argv)

    comm = MPI.COMM_WORLD
    if comm.rank > 0:
        Worker(comm, Layer()).serve()
        return
    collector, picker = Collector(comm), Picker()
    for shots in Line(args.shots).rounds(len(collector.workers)):
        for head, data in collector.round(shots):
            picker.add(head, data)
    collector.release()
    picker.write()
