"""Each rank writes its part of a snapshot to a (sometimes flaky) scratch directory."""
import logging
import os
import time

import numpy as np
from mpi4py import MPI

log = logging.getLogger("snap")
MAX_TRIES = 4


class FlakyStore:
    """Scratch file system: now and then the first write of a file fails."""

    def __init__(self, root):
        self.root = root
        self.calls = {}

    def write(self, name, data):
        n = self.calls[name] = self.calls.get(name, 0) + 1
        if n == 1 and sum(name.encode()) % 5 == 0:
            raise OSError(5, "Input/output error", name)
        np.save(os.path.join(self.root, name), data)


def try_write(store, name, data):
    try:
        store.write(name, data)
    except OSError as err:
        log.warning("%s", err)
        return False
    return True


def save_snapshot(comm, store, data, index):
    name = f"snap{index:03d}.r{comm.rank}.npy"
    for attempt in range(MAX_TRIES):
        ok = comm.allreduce(try_write(store, name, data), op=MPI.LAND)
        if ok:
            break
        time.sleep(0.02 * 2 ** attempt)
        comm.Barrier()
    else:
        log.error("rank %d gives up on %s", comm.rank, name)
        comm.Abort(3)
    comm.Barrier()
    if comm.rank == 0:
        with open(os.path.join(store.root, "index.txt"), "a") as fh:
            fh.write(f"{index} {comm.size}\n")


def main():
    logging.basicConfig(format="%(levelname)s %(message)s")
    comm = MPI.COMM_WORLD
    root = "scratch"
    if comm.rank == 0:
        os.makedirs(root, exist_ok=True)
    comm.Barrier()

    store = FlakyStore(root)
    rng = np.random.default_rng(comm.rank)
    walk = np.zeros(5000)
    for index in range(8):
        walk += rng.normal(size=walk.size)
        save_snapshot(comm, store, walk, index)

    spread = comm.allreduce(float(walk.std())) / comm.size
    if comm.rank == 0:
        with open(os.path.join(root, "index.txt")) as fh:
            rows = fh.readlines()
        files = [f for f in os.listdir(root) if f.endswith(".npy")]
        print(f"{len(rows)} snapshots, {len(files)} files, spread {spread:.4f}")


if __name__ == "__main__":
    main()
