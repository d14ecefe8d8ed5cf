import numpy as np
from mpi4py import MPI


class Ensemble:
    """Members of two ranks each; the last one may have a single rank."""

    def __init__(self, world: MPI.Comm):
        self.world = world
        self.number = world.rank // 2
        self.member = world.Split(color=self.number, key=world.rank)
        self.members = (world.size + 1) // 2
        self.rng = np.random.default_rng(world.rank)
        self.height = np.full(30, 5.0 + self.number)

    def advance(self, steps: int) -> None:
        for _ in range(steps):
            noise = self.member.bcast(self.rng.normal(size=30), root=0)
            self.height += 0.01 * (noise - 0.1 * (self.height - 5.0))

    def mean_height(self) -> float:
        part = self.height[self.member.rank::self.member.size]
        total = self.member.allreduce(float(part.sum()), op=MPI.SUM)
        mine = total / 30 if self.member.rank == 0 else 0.0
        result = self.world.allreduce(mine, op=MPI.SUM) / self.members
        return self.member.bcast(result, root=0)

    def close(self) -> None:
        self.member.Free()


def main() -> None:
    ensemble = Ensemble(MPI.COMM_WORLD)
    ensemble.advance(40)
    mean = ensemble.mean_height()
    if ensemble.world.rank == 0:
        print("members:", ensemble.members, "mean in range:", 4.5 < mean < 6.5)
    ensemble.close()


if __name__ == "__main__":
    main()
