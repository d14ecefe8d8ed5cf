"""Parallel tempering of a double well, one temperature per rank.

The state of a replica carries its label, so that the way of a replica
through the temperatures can be followed.
"""
import math
import random

from mpi4py import MPI


def potential(x):
    return 8.0 * (x * x - 1.0) ** 2 + 0.4 * x


class Replica:
    def __init__(self, label, x):
        self.label = label
        self.x = x

    @property
    def energy(self):
        return potential(self.x)


class Tempering:
    def __init__(self, comm, t_min=0.1, t_max=2.0, seed=77):
        self.comm = comm
        self.rank = comm.rank
        ratio = (t_max / t_min) ** (1.0 / max(comm.size - 1, 1))
        self.temperature = t_min * ratio**comm.rank
        self.beta = 1.0 / self.temperature
        self.rng = random.Random(seed * 1000 + comm.rank)
        self.replica = Replica(comm.rank, 1.0)
        self.tried = self.accepted = 0

    def sweep(self, moves=20):
        r = self.replica
        for _ in range(moves):
            new = r.x + self.rng.gauss(0.0, 0.25)
            change = potential(new) - r.energy
            if change <= 0 or self.rng.random() < math.exp(-self.beta * change):
                r.x = new

    def partner(self, round_):
        other = self.rank + 1 if (self.rank + round_) % 2 == 0 else self.rank - 1
        return other if 0 <= other < self.comm.size else None

    def exchange(self, round_):
        other = self.partner(round_)
        if other is None:
            return
        draw = self.rng.random()
        beta, replica, other_draw = self.comm.sendrecv(
            (self.beta, self.replica, draw), dest=other, source=other)
        log_ratio = (self.beta - beta) * (self.replica.energy - replica.energy)
        self.tried += 1
        if math.log(draw if self.rank < other else other_draw) < log_ratio:
            self.replica = replica
            self.accepted += 1


def main(rounds=2000):
    comm = MPI.COMM_WORLD
    tempering = Tempering(comm)
    left = 0
    for n in range(rounds):
        tempering.sweep()
        tempering.exchange(n)
        left += tempering.replica.x < 0

    rows = comm.gather((tempering.temperature, tempering.replica.label, left / rounds,
                        tempering.accepted / max(tempering.tried, 1)), root=0)
    if comm.rank == 0:
        for t, label, share, rate in rows:
            print(f"T={t:6.3f}  replica {label}  left well {share:.3f}  swaps accepted {rate:.3f}")
        labels = {row[1] for row in rows}
        print(f"{len(labels)} of {comm.size} replicas are left")


if __name__ == "__main__":
    main()
