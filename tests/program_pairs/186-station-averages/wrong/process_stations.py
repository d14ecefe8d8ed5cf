#!/usr/bin/env python
"""Average temperatures per weather station.  Files are dealt out to the ranks."""
import csv
import os
import random

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

DATA = "stations"
NFILES = 10


def make_sample_data():
    rng = random.Random(7)
    os.makedirs(DATA, exist_ok=True)
    for k in range(NFILES):
        with open(os.path.join(DATA, f"st{k:03d}.csv"), "w") as f:
            f.write("hour,temp\n")
            for h in range(24):
                value = f"{rng.gauss(12.0, 4.0):.2f}"
                if k == 4 and h == 11:
                    value = "n/a"
                f.write(f"{h},{value}\n")


def read_station(path):
    with open(path, newline="") as f:
        return [float(row["temp"]) for row in csv.DictReader(f)]


def collect(paths):
    means = {}
    try:
        for p in paths:
            temps = read_station(p)
            means[os.path.basename(p)] = sum(temps) / len(temps)
    except ValueError as exc:
        print(f"[rank {rank}] bad record in {p}: {exc}")
        return None

    parts = comm.gather(means, root=0)
    if rank == 0:
        merged = {}
        for part in parts:
            merged.update(part)
        return merged
    return None


if rank == 0:
    make_sample_data()
comm.Barrier()

files = sorted(os.listdir(DATA))
mine = [os.path.join(DATA, f) for i, f in enumerate(files) if i % size == rank]

table = collect(mine)

if rank == 0:
    with open("averages.csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["station", "mean_temp"])
        for name in sorted(table):
            writer.writerow([name, f"{table[name]:.3f}"])
    print(f"wrote averages.csv with {len(table)} stations")
