"""Finite-volume heat solve on a mesh that is generated once per run."""
import os

import numpy as np
from mpi4py import MPI

import mesh

CASE = {"name": "annulus", "cells": 400, "stretch": 1.01, "steps": 200}


def prepare(comm, case):
    path = os.path.join("work", f"{case['name']}.npz")
    if comm.Get_rank() == 0:
        os.makedirs("work", exist_ok=True)
        if os.path.exists(path):
            os.remove(path)
        mesh.generate(path, case["cells"], case["stretch"])
    comm.Barrier()
    return mesh.load(path)


def exchange(comm, t):
    lo = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    hi = comm.rank + 1 if comm.rank < comm.size - 1 else MPI.PROC_NULL
    ghost = np.array([1.0, 0.0])
    comm.Sendrecv(t[:1].copy(), lo, 3, ghost[1:], hi, 3)
    comm.Sendrecv(t[-1:].copy(), hi, 4, ghost[:1], lo, 4)
    return np.concatenate([ghost[:1], t, ghost[1:]])


def main():
    comm = MPI.COMM_WORLD
    grid = prepare(comm, CASE)
    cells = np.array_split(np.arange(len(grid.volume)), comm.size)[comm.rank]
    vol = grid.volume[cells]
    cond = grid.conductance[cells[0]:cells[-1] + 2]
    dt = 0.4 * grid.volume.min() / grid.conductance.max()
    t = np.zeros(len(cells))
    for _ in range(CASE["steps"]):
        flux = cond * -np.diff(exchange(comm, t))
        t += dt / vol * (flux[:-1] - flux[1:])
    heat = comm.reduce(float(t @ vol), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"heat content {heat:.8f}")


if __name__ == "__main__":
    main()
