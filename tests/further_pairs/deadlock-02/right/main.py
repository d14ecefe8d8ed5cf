from dataclasses import dataclass

import numpy as np
from mpi4py import MPI


@dataclass
class Replica:
    world: MPI.Comm
    beta: float
    energy: float = 0.0
    accepted: int = 0

    def relax(self, rng, steps=20):
        x = rng.normal(size=16)
        for _ in range(steps):
            x -= 0.05 * x
        self.energy = float(np.sum(x * x))

    def partner(self, sweep):
        me = self.world.rank
        other = me + 1 if (me + sweep) % 2 == 0 else me - 1
        return other if 0 <= other < self.world.size else None

    def swap(self, sweep):
        other = self.partner(sweep)
        if other is None:
            return
        mine = (self.beta, self.energy)
        if self.world.rank < other:
            self.world.send(mine, dest=other, tag=sweep)
            beta, energy = self.world.recv(source=other, tag=sweep)
        else:
            beta, energy = self.world.recv(source=other, tag=sweep)
            self.world.send(mine, dest=other, tag=sweep)
        if (self.beta - beta) * (self.energy - energy) >= 0:
            self.beta = beta
            self.accepted += 1


def main():
    world = MPI.COMM_WORLD
    replica = Replica(world, beta=1.0 / (1 + world.rank))
    rng = np.random.default_rng(100 + world.rank)
    for sweep in range(6):
        replica.relax(rng)
        replica.swap(sweep)
    total = world.reduce(replica.accepted, op=MPI.SUM, root=0)
    if world.rank == 0:
        print("accepted swaps:", total)


if __name__ == "__main__":
    main()
