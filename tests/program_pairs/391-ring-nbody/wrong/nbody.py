# Direct summation gravity, systolic ring.
# Each rank keeps its own bodies; a "visiting" packet travels round the ring.
import argparse
import time

import numpy as np
from mpi4py import MPI

G = 1.0
EPS2 = 1e-3


class Ring:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()
        self.next = (self.rank + 1) % self.size
        self.prev = (self.rank - 1) % self.size
        self._spare = None

    def rotate(self, packet):
        """hand `packet` to the next rank, return what came from the previous one"""
        if self.size == 1:
            return packet
        if self._spare is None or self._spare.shape != packet.shape:
            self._spare = np.empty_like(packet)
        incoming = self._spare
        self.comm.Send(packet, dest=self.next, tag=7)
        self.comm.Recv(incoming, source=self.prev, tag=7)
        self._spare = packet
        return incoming


def init_bodies(n, rank):
    rng = np.random.default_rng(300 + rank)
    bodies = np.empty((n, 4))
    bodies[:, :3] = rng.normal(size=(n, 3))
    bodies[:, 3] = 1.0 / n
    return bodies


def accumulate(acc, targets, packet, block, stride):
    # stride thins the sources so that the demo stays cheap
    src = packet[::stride]
    for lo in range(0, len(targets), block):
        t = targets[lo:lo + block]
        d = src[None, :, :3] - t[:, None, :3]
        r2 = (d ** 2).sum(-1) + EPS2
        w = G * stride * src[None, :, 3] / (r2 * np.sqrt(r2))
        acc[lo:lo + block] += (w[..., None] * d).sum(1)


class System:
    def __init__(self, comm, nlocal, block, stride):
        self.ring = Ring(comm)
        self.bodies = init_bodies(nlocal, comm.rank)
        self.vel = np.zeros((nlocal, 3))
        self.block = block
        self.stride = stride

    def accelerations(self, sample):
        targets = self.bodies[:sample]
        acc = np.zeros((len(targets), 3))
        packet = self.bodies.copy()
        for hop in range(self.ring.size):
            accumulate(acc, targets, packet, self.block, self.stride)
            if hop < self.ring.size - 1:
                packet = self.ring.rotate(packet)
        return acc

    def kick_drift(self, dt, sample):
        a = self.accelerations(sample)
        self.vel[:sample] += dt * a
        self.bodies[:sample, :3] += dt * self.vel[:sample]
        return a


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=1000, help="bodies per rank")
    ap.add_argument("--sample", type=int, default=256)
    ap.add_argument("--block", type=int, default=128)
    ap.add_argument("--steps", type=int, default=2)
    ap.add_argument("--dt", type=float, default=1e-3)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    system = System(comm, args.n, args.block, stride=max(1, args.n // 500))
    t0 = time.perf_counter()
    for step in range(args.steps):
        a = system.kick_drift(args.dt, args.sample)
        amax = comm.reduce(float(np.abs(a).max()), op=MPI.MAX, root=0)
        if comm.rank == 0:
            print(f"step {step}: max |a| = {amax:.4f}")
    comm.Barrier()
    if comm.rank == 0:
        print("wall time %.2f" % (time.perf_counter() - t0))


if __name__ == "__main__":
    main()
