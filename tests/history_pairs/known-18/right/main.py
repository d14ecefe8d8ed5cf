import numpy as np
from mpi4py import MPI


class Replica:
    """One replica of a tempering run; all know the energies of all."""

    def __init__(self, comm):
        self.comm = comm
        self.beta = 1.0 / (1.0 + 0.5 * comm.rank)
        self.rng = np.random.default_rng(comm.rank)
        self.x = np.ones(10)

    def energy(self):
        return float((self.x ** 2).sum())

    def sweep(self):
        for i in range(len(self.x)):
            new = self.x[i] + self.rng.normal(scale=0.5)
            if self.rng.random() < np.exp(-self.beta * (new ** 2 - self.x[i] ** 2)):
                self.x[i] = new

    def table(self):
        mine = np.array([self.beta, self.energy()])
        everyone = np.empty((self.comm.size, 2))
        self.comm.Allgather(mine, everyone)
        order = np.argsort(everyone[:, 1])
        return everyone[order]


def main():
    replica = Replica(MPI.COMM_WORLD)
    for _ in range(50):
        replica.sweep()
    table = replica.table()
    if replica.comm.rank == 0:
        print("replicas:", len(table), "sorted:", bool((np.diff(table[:, 1]) >= 0).all()))


main()
