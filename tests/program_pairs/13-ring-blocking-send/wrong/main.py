"""All-pairs forces with a systolic ring: blocks travel, owners stay."""
import time

import numpy as np
from mpi4py import MPI


class Ring:
    def __init__(self, comm):
        self.comm = comm
        self.next = (comm.rank + 1) % comm.size
        self.prev = (comm.rank - 1) % comm.size

    def shift(self, block):
        incoming = np.empty_like(block)
        self.comm.Send(block, dest=self.next, tag=11)
        self.comm.Recv(incoming, source=self.prev, tag=11)
        return incoming


def potential(targets, sources, cut=64):
    total = np.zeros(len(targets))
    for i in range(0, len(sources), cut):
        d = targets[:, None, :] - sources[None, i:i + cut, :]
        total += (1.0 / np.sqrt((d ** 2).sum(-1) + 1e-3)).sum(1)
    return total


def main():
    comm = MPI.COMM_WORLD
    ring = Ring(comm)
    rng = np.random.default_rng(comm.rank)
    # positions plus the attributes that other kernels of the code need
    block = rng.random((2048, 16))
    sample = block[:128, :3].copy()

    phi = np.zeros(len(sample))
    travelling = block
    t0 = time.time()
    for hop in range(comm.size):
        phi += potential(sample, travelling[:, :3])
        if hop < comm.size - 1:
            travelling = ring.shift(travelling)
    dt = comm.reduce(time.time() - t0, op=MPI.MAX)
    mean = comm.reduce(phi.mean())
    if comm.rank == 0:
        n = comm.size * len(block)
        print(f"{n} bodies, mean potential {mean / comm.size / n:.5f}, {dt:.2f} s")


if __name__ == "__main__":
    main()
