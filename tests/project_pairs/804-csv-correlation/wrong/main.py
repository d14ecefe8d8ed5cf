"""Correlation of temperature and power over all station files of a folder.

    mpirun -n 4 python main.py [folder]

Without a folder, three small sample files are written and used.
"""
import csv
import glob
import os
import random
import sys
import tempfile

import numpy as np
from mpi4py import MPI


def write_samples(folder):
    rnd = random.Random(3)
    for station in ("berlin", "kiel", "ulm"):
        with open(os.path.join(folder, station + ".csv"), "w", newline="") as f:
            out = csv.writer(f)
            out.writerow(["hour", "temperature", "power"])
            for hour in range(200):
                t = 12 + 9 * rnd.random()
                out.writerow([hour, round(t, 2), round(80 - 2 * t + rnd.gauss(0, 4), 2)])


def read_columns(path):
    with open(path, newline="") as f:
        rows = [(float(r["temperature"]), float(r["power"])) for r in csv.DictReader(f)]
    return np.array(rows)


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()

    folder, files = None, None
    if rank == 0:
        if len(sys.argv) > 1:
            folder = sys.argv[1]
        else:
            folder = tempfile.mkdtemp(prefix="stations")
            write_samples(folder)
        files = sorted(glob.glob(os.path.join(folder, "*.csv")))
    files = comm.bcast(files, root=0)

    mine = files[rank::comm.Get_size()]
    if not mine:
        print(f"process {rank}: no files for me")
        return

    # n, sum x, sum y, sum xx, sum yy, sum xy
    sums = np.zeros(6)
    for path in mine:
        data = read_columns(path)
        x, y = data[:, 0], data[:, 1]
        sums += [len(x), x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()]

    total = np.zeros(6)
    comm.Reduce(sums, total, op=MPI.SUM, root=0)
    if rank == 0:
        n, sx, sy, sxx, syy, sxy = total
        r = (n * sxy - sx * sy) / np.sqrt((n * sxx - sx ** 2) * (n * syy - sy ** 2))
        print(f"{len(files)} files, {int(n)} rows, r = {r:.6f}")


if __name__ == "__main__":
    main()
