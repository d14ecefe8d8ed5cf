import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

OUT = "tables"
if rank == 0:
    import csv
    print("writing tables to", OUT)
os.makedirs(OUT, exist_ok=True)


def light_curve(period, n=50):
    t = np.arange(n, dtype=float)
    return np.column_stack([t, 1.0 + 0.1 * np.sin(2 * np.pi * t / period)])


rows = 0
for number in range(rank, 6, size):
    curve = light_curve(period=3.0 + number)
    with open(os.path.join(OUT, f"curve_{number}.csv"), "w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["time", "flux"])
        writer.writerows(curve.tolist())
    rows += len(curve)

total = comm.reduce(rows, op=MPI.SUM, root=0)
if rank == 0:
    print("rows:", total)
