"""Calibrate detector counts and histogram the energies of all modules."""
import json
import os
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
MODULES = 12

settings = SimpleNamespace(gain=1.0, offset=0.0, bins=40, emax=200.0)


@contextmanager
def constants_file(path):
    """The constants as the slow-control system would leave them."""
    if comm.rank == 0:
        with open(path, "w") as fh:
            json.dump({"gain": 0.253, "offset": -1.7}, fh)
    try:
        yield path
    finally:
        comm.Barrier()
        if comm.rank == 0:
            os.remove(path)


def load_constants(path):
    if comm.rank == 0:
        with open(path) as fh:
            for key, value in json.load(fh).items():
                setattr(settings, key, value)


def counts(module, n=4000):
    rng = np.random.default_rng(3000 + module)
    line = rng.normal(511.0, 12.0, n // 2)
    continuum = rng.exponential(180.0, n - n // 2)
    return np.concatenate([line, continuum])


def spectrum():
    hist = np.zeros(settings.bins)
    edges = np.linspace(0, settings.emax, settings.bins + 1)
    for module in range(comm.rank, MODULES, comm.size):
        energy = settings.gain * counts(module) + settings.offset
        hist += np.histogram(energy, edges)[0]
    total = np.zeros_like(hist)
    comm.Reduce(hist, total, root=0)
    return edges, total


def main():
    with constants_file("constants.json") as path:
        load_constants(path)
        edges, hist = spectrum()
    if comm.rank == 0:
        centre = 0.5 * (edges[1:] + edges[:-1])
        peak = centre[100 < centre][hist[100 < centre].argmax()]
        print(f"entries {int(hist.sum())}, peak near {peak:.1f} keV")


if __name__ == "__main__":
    main()
