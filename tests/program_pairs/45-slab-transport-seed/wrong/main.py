"""Monte Carlo transmission of neutrons through an absorbing slab."""
import dataclasses
import json
import sys

import numpy as np
from mpi4py import MPI


@dataclasses.dataclass
class Case:
    thickness: float = 3.0
    sigma_t: float = 1.0
    albedo: float = 0.6
    histories: int = 200_000
    batch: int = 5_000
    seed: int = 20240

    @classmethod
    def load(cls, argv):
        if len(argv) < 2:
            return cls()
        with open(argv[1]) as fh:
            return cls(**json.load(fh))


class Transport:
    def __init__(self, case, comm):
        self.case = case
        self.rng = np.random.default_rng(case.seed)

    def run_batch(self):
        """Fraction of one batch that gets through."""
        c, n = self.case, self.case.batch
        x = np.zeros(n)
        mu = np.ones(n)
        through = 0
        while len(x):
            x = x + mu * self.rng.exponential(1.0 / c.sigma_t, len(x))
            through += int((x > c.thickness).sum())
            alive = (x > 0) & (x < c.thickness)
            alive &= self.rng.random(len(x)) < c.albedo
            x = x[alive]
            mu = self.rng.uniform(-1, 1, len(x))
        return through / n


def main():
    comm = MPI.COMM_WORLD
    case = Case.load(sys.argv)
    transport = Transport(case, comm)
    nbatch = max(2, case.histories // case.batch // comm.size)
    scores = np.array([transport.run_batch() for _ in range(nbatch)])

    sums = comm.allreduce(np.array([scores.sum(), (scores ** 2).sum(), nbatch]))
    n = sums[2]
    mean = sums[0] / n
    err = np.sqrt((sums[1] / n - mean ** 2) / (n - 1))
    distinct = comm.allreduce({round(float(s), 12) for s in scores},
                              op=lambda a, b: a | b)
    if comm.rank == 0:
        print(f"transmission {mean:.5f} +- {err:.5f}  ({int(n)} batches, "
              f"{len(distinct)} distinct scores)")


if __name__ == "__main__":
    main()
