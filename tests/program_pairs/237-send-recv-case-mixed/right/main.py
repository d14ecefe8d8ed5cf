"""Collect spectra from the workers on rank 0."""
import argparse

import numpy as np
from mpi4py import MPI

TAG_SPECTRUM = 21


def spectrum(n, seed):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, n, endpoint=False)
    signal = np.sin(2 * np.pi * (5 + seed) * t) + 0.1 * rng.normal(size=n)
    return np.abs(np.fft.rfft(signal))


class Collector:
    def __init__(self, comm, nbins):
        self.comm = comm
        self.nbins = nbins

    def submit(self, spec):
        self.comm.Send([spec, MPI.DOUBLE], dest=0, tag=TAG_SPECTRUM)

    def fetch(self, source):
        buf = np.empty(self.nbins)
        self.comm.Recv([buf, MPI.DOUBLE], source=source, tag=TAG_SPECTRUM)
        return buf


def peak(spec):
    return int(np.argmax(spec[1:])) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=512)
    opts = parser.parse_args()

    comm = MPI.COMM_WORLD
    col = Collector(comm, opts.n // 2 + 1)
    mine = spectrum(opts.n, comm.rank)
    if comm.rank == 0:
        peaks = [peak(mine)]
        for r in range(1, comm.size):
            peaks.append(peak(col.fetch(r)))
        print("peaks", peaks)
        assert peaks == [5 + r for r in range(comm.size)]
    else:
        col.submit(mine)


if __name__ == "__main__":
    main()
