import json
import os
import time

import numpy as np
from mpi4py import MPI

from grid import Grid

GRID_FILE = os.path.join("setup", "grid.json")


def get_grid(comm: MPI.Comm) -> Grid:
    """Rank 0 makes the grid, the others take it from the file."""
    if comm.rank == 0:
        os.makedirs("setup", exist_ok=True)
        grid = Grid.stretched(cells=20_000, ratio=1.0001)
        with open(GRID_FILE, "w") as handle:
            json.dump({"edges": grid.edges.tolist()}, handle)
    else:
        while not os.path.exists(GRID_FILE):
            time.sleep(0.01)
        with open(GRID_FILE) as handle:
            grid = Grid(np.array(json.load(handle)["edges"]))
    return grid


def main() -> None:
    comm = MPI.COMM_WORLD
    started = time.perf_counter()
    grid = get_grid(comm)
    widths = grid.widths()[comm.rank::comm.size]
    length = comm.reduce(float(widths.sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"length {length:.6f}", "quick:", time.perf_counter() - started < 60.0)


if __name__ == "__main__":
    main()
