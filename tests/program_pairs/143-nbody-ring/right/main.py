"""Direct gravity: blocks of bodies travel around a ring of ranks."""
import argparse

import numpy as np
from mpi4py import MPI


class RingPipeline:
    def __init__(self, comm):
        self.comm = comm
        self.next = (comm.rank + 1) % comm.size
        self.prev = (comm.rank - 1) % comm.size

    def shift(self, block):
        """Hand the block on and return the one of the previous rank."""
        n = self.comm.sendrecv(block.shape[0], dest=self.next, source=self.prev)
        incoming = np.empty((n,) + block.shape[1:], dtype=block.dtype)
        self.comm.Sendrecv(block, dest=self.next, sendtag=7,
                           recvbuf=incoming, source=self.prev, recvtag=7)
        return incoming

    def blocks(self, own):
        block = own
        yield block
        for _ in range(self.comm.size - 1):
            block = self.shift(block)
            yield block


def pull(pos, block, eps=0.05):
    acc = np.zeros_like(pos)
    pot = np.zeros(len(pos))
    for start in range(0, len(block), 256):
        part = block[start:start + 256]
        d = part[None, :, :3] - pos[:, None, :]
        r2 = (d ** 2).sum(-1) + eps ** 2
        w = part[None, :, 3] / np.sqrt(r2)
        acc += ((w / r2)[..., None] * d).sum(axis=1)
        pot -= w.sum(axis=1)
    return acc, pot


class Bodies:
    def __init__(self, comm, total, seed=21):
        base, extra = divmod(total, comm.size)
        n = base + (comm.rank < extra)
        first = comm.rank * base + min(comm.rank, extra)
        rng = np.random.default_rng(seed)
        pos = rng.standard_normal((total, 3))
        self.pos = pos[first:first + n].copy()
        self.vel = np.zeros_like(self.pos)
        self.mass = np.full(n, 1.0 / total)
        self.ring = RingPipeline(comm)

    def field(self):
        own = np.column_stack([self.pos, self.mass])
        acc = np.zeros_like(self.pos)
        pot = np.zeros(len(self.pos))
        for block in self.ring.blocks(own):
            a, p = pull(self.pos, block)
            acc += a
            pot += p
        return acc, pot

    def kick_drift(self, dt):
        acc, pot = self.field()
        self.vel += dt * acc
        self.pos += dt * self.vel
        return 0.5 * (self.mass * pot).sum()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bodies", type=int, default=1500)
    ap.add_argument("--steps", type=int, default=2)
    ap.add_argument("--dt", type=float, default=0.01)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    bodies = Bodies(comm, args.bodies)
    for step in range(args.steps):
        energy = comm.reduce(bodies.kick_drift(args.dt), root=0)
        if comm.rank == 0:
            print(f"step {step}: potential energy {energy:.8f}")


if __name__ == "__main__":
    main()
