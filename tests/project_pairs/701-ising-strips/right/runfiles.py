"""Where a run keeps its files."""
import csv
import os
import shutil

import numpy as np


def prepare(comm, path):
    """Start from an empty run directory; an old run of the same name is dropped."""
    if comm.rank == 0:
        if os.path.isdir(path):
            shutil.rmtree(path)
        os.makedirs(os.path.join(path, "spins"))
    comm.Barrier()
    return path


def save_spins(comm, path, sweep, strip):
    name = f"s{sweep:05d}_r{comm.rank:03d}.npy"
    np.save(os.path.join(path, "spins", name), strip.spins[1:-1])


def save_series(path, rows):
    with open(os.path.join(path, "magnetisation.csv"), "w", newline="") as fh:
        out = csv.writer(fh)
        out.writerow(["sweep", "m"])
        out.writerows(rows)
