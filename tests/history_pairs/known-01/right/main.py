import json
from pathlib import Path

import numpy as np
from mpi4py import MPI

DEFAULTS = {"cells": 240, "steps": 50, "diffusivity": 0.2}

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

settings = None
if rank == 0:
    settings = dict(DEFAULTS)
    override = Path("heat_settings.json")
    if override.exists():
        settings.update(json.loads(override.read_text()))
    print("settings:", sorted(settings))
settings = comm.bcast(settings, root=0)

cells = settings["cells"] // size
lower, upper = rank - 1, rank + 1
lower = lower if lower >= 0 else MPI.PROC_NULL
upper = upper if upper < size else MPI.PROC_NULL

u = np.zeros(cells + 2)
if rank == 0:
    u[1] = 100.0

for _ in range(settings["steps"]):
    comm.Sendrecv(u[1:2], dest=lower, recvbuf=u[-1:], source=upper)
    comm.Sendrecv(u[-2:-1], dest=upper, recvbuf=u[0:1], source=lower)
    u[1:-1] += settings["diffusivity"] * (u[2:] - 2.0 * u[1:-1] + u[:-2])

heat = comm.reduce(float(u[1:-1].sum()), op=MPI.SUM, root=0)
if rank == 0:
    print(f"total heat {heat:.4f}")
