import shutil
from pathlib import Path

import numpy as np
from mpi4py import MPI

from chunks import sort_chunk, spill

SCRATCH = Path("scratch_sort")


def main():
    comm = MPI.COMM_WORLD
    rank = comm.rank
    SCRATCH.mkdir(exist_ok=True)

    rng = np.random.default_rng(rank)
    keys = rng.integers(0, 10_000, size=2000)
    spilled = [spill(SCRATCH, rank, i, part) for i, part in enumerate(np.array_split(keys, 5))]
    runs = [sort_chunk(path) for path in spilled]
    merged = np.sort(np.concatenate(runs))

    smallest = int(merged[0])
    print(f"rank {rank} merged {len(merged)} keys", flush=True)
    if rank == 0:
        shutil.rmtree(SCRATCH)
    least = comm.allreduce(smallest, op=MPI.MIN)
    if rank == 0:
        print("least key:", least)


if __name__ == "__main__":
    main()
