"""Gravity among point masses, blocks of them travelling around a ring."""
import numpy as np
from dataclasses import dataclass, field
from mpi4py import MPI

SOFT = 1e-3


@dataclass
class Cloud:
    """x, y, z and mass of the bodies which one process owns."""
    bodies: np.ndarray
    force: np.ndarray = field(init=False)

    def __post_init__(self):
        self.force = np.zeros((len(self.bodies), 3))

    @classmethod
    def random(cls, count, seed):
        rng = np.random.default_rng(seed)
        bodies = rng.normal(size=(count, 4))
        bodies[:, 3] = rng.uniform(0.5, 1.5, count)
        return cls(bodies)

    def attract(self, others):
        gap = others[None, :, :3] - self.bodies[:, None, :3]
        dist2 = (gap ** 2).sum(axis=2) + SOFT
        pull = self.bodies[:, None, 3] * others[None, :, 3] / dist2 ** 1.5
        self.force += (gap * pull[:, :, None]).sum(axis=1)


class Ring:
    def __init__(self, comm):
        self.comm = comm
        self.next = (comm.rank + 1) % comm.size
        self.prev = (comm.rank - 1) % comm.size

    def shift(self, block):
        incoming = np.empty_like(block)
        self.comm.Sendrecv(block, dest=self.next, sendtag=7,
                           recvbuf=incoming, source=self.prev, recvtag=7)
        return incoming

    def tour(self, block):
        """Yield the block of every process once, beginning with our own."""
        yield block
        for _ in range(self.comm.size - 1):
            block = self.shift(block)
            yield block


def all_forces(ring, cloud):
    for block in ring.tour(cloud.bodies):
        cloud.attract(block)
    return cloud.force


def main(per_rank=260):
    comm = MPI.COMM_WORLD
    cloud = Cloud.random(per_rank, seed=40 + comm.rank)
    force = all_forces(Ring(comm), cloud)
    net = np.zeros(3)
    comm.Reduce(force.sum(axis=0), net, op=MPI.SUM, root=0)
    largest = comm.reduce(float(np.linalg.norm(force, axis=1).max()), op=MPI.MAX, root=0)
    if comm.rank == 0:
        print(f"{comm.size * per_rank} bodies, net force {np.abs(net).max():.1e}, "
              f"largest {largest:.4f}")


if __name__ == "__main__":
    main()
