"""1-D wave equation, leap-frog, driven by a JSON deck."""
import json
import os
import sys

import numpy as np
from mpi4py import MPI

DEFAULT_DECK = {"nx": 400, "c": 1.0, "cfl": 0.9, "t_end": 0.5, "pulse": 0.35}


def read_deck(path):
    deck = dict(DEFAULT_DECK)
    if path and os.path.exists(path):
        with open(path) as fh:
            deck.update(json.load(fh))
    unknown = set(deck) - set(DEFAULT_DECK)
    if unknown:
        sys.exit(f"unknown keys in deck: {sorted(unknown)}")
    return deck


def ghosts(comm, u):
    lo = comm.rank - 1 if comm.rank else MPI.PROC_NULL
    hi = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(u[1:2], lo, 0, u[-1:], hi, 0)
    comm.Sendrecv(u[-2:-1], hi, 1, u[:1], lo, 1)


def evolve(comm, p):
    nx = p["nx"]
    edges = np.linspace(0, nx, comm.size + 1).astype(int)
    lo, hi = edges[comm.rank:comm.rank + 2]
    x = (np.arange(lo - 1, hi + 1) + 0.5) / nx
    dx = 1.0 / nx
    dt = p["cfl"] * dx / p["c"]
    now = np.exp(-((x - p["pulse"]) / 0.04) ** 2)
    before = now.copy()
    steps = int(round(p["t_end"] / dt))
    k = (p["c"] * dt / dx) ** 2
    for _ in range(steps):
        ghosts(comm, now)
        after = now.copy()
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + k * (
            now[2:] - 2 * now[1:-1] + now[:-2])
        before, now = now, after
    return steps, float((now[1:-1] ** 2).sum() * dx)


def main():
    comm = MPI.COMM_WORLD
    params = None
    if comm.rank == 0:
        params = read_deck(sys.argv[1] if len(sys.argv) > 1 else None)
        print("deck:", params, flush=True)
    params = comm.bcast(params, root=0)
    steps, local = evolve(comm, params)
    norm = comm.reduce(local, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{steps} steps, |u|^2 = {norm:.6f}")


if __name__ == "__main__":
    main()
