"""SIR epidemic in several cities (one per rank) that trade travellers through
a notice board in the memory of rank 0."""
import numpy as np
from mpi4py import MPI

from board import NoticeBoard


class City:
    def __init__(self, index, n=10000):
        self.rng = np.random.default_rng(50 + index)
        self.s, self.i, self.r = n - 20, 20 * (index == 0), 0
        self.s = n - self.i

    def step(self, beta=0.35, gamma=0.1):
        n = self.s + self.i + self.r
        new = self.rng.binomial(self.s, 1 - np.exp(-beta * self.i / n)) if self.i else 0
        rec = self.rng.binomial(self.i, gamma)
        self.s -= new
        self.i += new - rec
        self.r += rec

    def import_cases(self, level):
        if level > 0 and self.s > 0:
            k = min(self.s, self.rng.poisson(0.002 * level))
            self.s -= k
            self.i += k


def main(days=60):
    comm = MPI.COMM_WORLD
    city = City(comm.rank)
    board = NoticeBoard(comm)

    for _ in range(days):
        city.step()
        board.post(city.i)
        levels = board.read()
        city.import_cases(levels.sum() - levels[comm.rank])
    board.close()

    infected = comm.reduce(city.i + city.r, root=0)
    if comm.rank == 0:
        print(f"ever infected in {comm.size} cities: {infected}")


if __name__ == "__main__":
    main()
