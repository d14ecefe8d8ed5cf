import pickle
from pathlib import Path

import numpy as np
from mpi4py import MPI

CACHE = Path("cache") / "rates.pkl"


def rate_table() -> dict[int, float]:
    temperatures = range(100, 1100, 50)
    return {t: float(np.exp(-2000.0 / t)) for t in temperatures}


def write_table() -> bool:
    CACHE.parent.mkdir(exist_ok=True)
    with CACHE.open("wb") as handle:
        pickle.dump(rate_table(), handle)
    return True


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    written = write_table() if rank == 0 else None
    written = comm.bcast(written, root=0)
    if rank == 0:
        print("table written:", written)

    with CACHE.open("rb") as handle:
        table = pickle.load(handle)

    mine = sorted(table)[rank::size]
    speed = comm.reduce(sum(table[t] for t in mine), op=MPI.SUM, root=0)
    if rank == 0:
        print(f"sum of the rates {speed:.6f}")


if __name__ == "__main__":
    main()
