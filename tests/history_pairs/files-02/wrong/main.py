from pathlib import Path

import numpy as np
from mpi4py import MPI

OUT = Path("render")


def render_row(row: int, width: int) -> int:
    c = np.linspace(-2.0, 0.6, width) + 1j * (row / 20.0 - 1.0)
    z = np.zeros_like(c)
    inside = np.ones(width, dtype=bool)
    for _ in range(40):
        z[inside] = z[inside] ** 2 + c[inside]
        inside &= np.abs(z) < 2.0
    return int(inside.sum())


def main() -> None:
    comm = MPI.COMM_WORLD
    OUT.mkdir(exist_ok=True)

    rows = {row: render_row(row, 60) for row in range(comm.rank, 40, comm.size)}
    parts = comm.allgather(rows)
    merged = {row: count for part in parts for row, count in part.items()}

    with open(OUT / "summary.txt", "w") as handle:
        for row in sorted(merged):
            handle.write(f"{row:4d} {merged[row]:6d}\n")
    if comm.rank == 0:
        print("rows:", len(merged), "points inside:", sum(merged.values()))


if __name__ == "__main__":
    main()
