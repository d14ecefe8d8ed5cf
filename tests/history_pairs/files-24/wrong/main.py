from pathlib import Path

import numpy as np
from mpi4py import MPI

TILES = Path("tiles")


def tile_path(rank: int) -> Path:
    return TILES / f"tile_{rank:02d}.npy"


def elevation(rank: int, n: int = 20) -> np.ndarray:
    x = np.linspace(rank, rank + 1, n)
    y = np.linspace(0.0, 1.0, n)
    return 100.0 * np.sin(x)[:, None] * np.cos(y)[None, :]


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size
    left = (rank - 1) % size

    TILES.mkdir(exist_ok=True)
    tile = elevation(rank)
    np.save(tile_path(rank), tile)
    source = left

    beside = np.load(tile_path(source))
    seam = float(np.abs(beside[-1] - tile[0]).max())

    seams = comm.gather(seam, root=0)
    if rank == 0:
        print("seams:", len(seams), "inner ones closed:", max(seams[1:]) < 1e-9)


if __name__ == "__main__":
    main()
