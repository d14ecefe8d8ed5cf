import numpy as np
from mpi4py import MPI


class CandidateSource:
    """Yields the candidates of this rank and reports the number of those looked at."""

    def __init__(self, comm, total):
        self.comm = comm
        self.total = total
        self.looked_at = 0

    def candidates(self):
        for number in range(self.comm.rank, self.total, self.comm.size):
            self.looked_at += 1
            yield number
        everywhere = self.comm.reduce(self.looked_at, op=MPI.SUM, root=0)
        if self.comm.rank == 0:
            print("candidates looked at:", everywhere)


def quality(number):
    rng = np.random.default_rng(number)
    return float(rng.random(8).mean())


def main():
    world = MPI.COMM_WORLD
    source = CandidateSource(world, 60)
    hit = None
    for number in source.candidates():
        if quality(number) > 0.64:
            hit = number
            break
    hits = world.gather(hit, root=0)
    if world.rank == 0:
        print("first hits:", hits)


if __name__ == "__main__":
    main()
