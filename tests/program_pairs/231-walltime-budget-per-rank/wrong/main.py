# Random search for good hyper-parameters within a time budget
import time
import numpy as np
from mpi4py import MPI

BUDGET = 1.5      # seconds


def objective(x):
    time.sleep(0.02)
    return float(((x - 0.3) ** 2).sum())


class Search(object):
    def __init__(self, comm, dim=3, batch=2):
        self.comm = comm
        self.dim = dim
        self.batch = batch
        self.started = time.time()
        self.rng = np.random.RandomState(comm.rank)
        self.centre = np.zeros(dim)
        self.best = np.inf
        self.rounds = 0

    def out_of_time(self):
        late = time.time() - self.started > BUDGET
        return late

    def explore(self):
        n = self.batch + 6 * self.comm.rank
        trials = self.centre + self.rng.normal(0, 0.3, (n, self.dim))
        scores = [objective(t) for t in trials]
        k = int(np.argmin(scores))
        self.candidate = (scores[k], trials[k].tolist())

    def share(self):
        pairs = self.comm.allgather(self.candidate)
        score, x = min(pairs)
        if score < self.best:
            self.best = score
            self.centre = np.array(x)
        self.rounds += 1


def main():
    comm = MPI.COMM_WORLD
    s = Search(comm)
    s.explore()
    while not s.out_of_time():
        s.share()
        s.explore()
    rounds = comm.allgather(s.rounds)
    if comm.rank == 0:
        print("rounds per rank:", rounds, "best %.5f" % s.best)
        assert len(set(rounds)) == 1


main()
