"""Game of life with checkpoints: rows are gathered on rank 0, which writes
atomically; on restart rank 0 reads and the rows are scattered."""
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from mpi4py import MPI

from checkpoint import CheckpointError, Checkpointer

NY, NX = 33, 28


def evolve(comm, rows):
    """One generation on the torus; halo rows from the ring neighbours."""
    up, down = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
    padded = np.empty((len(rows) + 2, NX), dtype=np.uint8)
    padded[1:-1] = rows
    comm.Sendrecv(rows[0], dest=up, sendtag=0, recvbuf=padded[-1], source=down, recvtag=0)
    comm.Sendrecv(rows[-1], dest=down, sendtag=1, recvbuf=padded[0], source=up, recvtag=1)
    return life_rule(padded)


def life_rule(padded):
    n = sum(np.roll(padded, dx, axis=1)[1 + dy:len(padded) - 1 + dy].astype(int)
            for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))
    alive = padded[1:-1] == 1
    return ((n == 3) | (alive & (n == 2))).astype(np.uint8)


def initial():
    return (np.random.default_rng(4).random((NY, NX)) < 0.35).astype(np.uint8)


def serial(generations):
    world = initial()
    for _ in range(generations):
        world = life_rule(np.vstack([world[-1:], world, world[:1]]))
    return world


def run(comm, ckpt, until, every):
    """Continue from the last checkpoint if there is one."""
    state = ckpt.load()
    if state is None:
        generation = 0
        rows = ckpt.scatter(initial() if comm.rank == 0 else None)
        if comm.rank == 0:
            print("cold start")
    else:
        generation, rows = state
        if comm.rank == 0:
            print(f"restart at generation {generation}")
    while generation < until:
        rows = evolve(comm, rows)
        generation += 1
        if generation % every == 0:
            ckpt.save(generation, rows)
    return generation, rows


def main():
    comm = MPI.COMM_WORLD
    if comm.size > NY:
        if comm.rank == 0:
            print(f"at most {NY} ranks", file=sys.stderr)
        return 2
    folder = comm.bcast(tempfile.mkdtemp(prefix="life-") if comm.rank == 0 else None, root=0)
    ckpt = Checkpointer(comm, Path(folder) / "state.npz", (NY, NX))
    try:
        run(comm, ckpt, until=13, every=5)          # last checkpoint at 10
        generation, rows = run(comm, ckpt, until=24, every=6)
    except CheckpointError as exc:                  # the same on all ranks
        if comm.rank == 0:
            print(f"checkpoint trouble: {exc}", file=sys.stderr)
        return 1
    finally:
        if comm.rank == 0:                          # only rank 0 uses the folder
            shutil.rmtree(folder)

    full = ckpt.gather(rows)
    if comm.rank == 0:
        assert np.array_equal(full, serial(generation))
        print(f"generation {generation}: {int(full.sum())} cells alive")
    return 0


if __name__ == "__main__":
    sys.exit(main())
