"""Parallel tempering of a double well.  Neighbours in temperature form pairs
(even pairs, then odd pairs); the lower rank of a pair decides and tells."""
import math

import numpy as np
from mpi4py import MPI

SWEEPS = 300
ROUNDS = 60


def energy(x):
    return 4.0 * (x * x - 1.0) ** 2 + 0.3 * x


class Replica:
    def __init__(self, comm, seed):
        self.comm = comm
        streams = np.random.SeedSequence(seed).spawn(comm.size)
        self.rng = np.random.default_rng(streams[comm.rank])
        # all betas are known everywhere
        self.betas = np.geomspace(6.0, 0.4, comm.size) if comm.size > 1 else np.array([1.0])
        self.beta = self.betas[comm.rank]
        self.x = 1.0
        self.label = comm.rank
        self.accepted = 0

    def metropolis(self, n):
        x, e = self.x, energy(self.x)
        steps = 0.5 / math.sqrt(self.beta) * self.rng.normal(size=n)
        coins = np.log(self.rng.random(n))
        for dx, lu in zip(steps, coins):
            new = energy(x + dx)
            if lu < -self.beta * (new - e):
                x, e = x + dx, new
        self.x = x

    def partner(self, round_no):
        """Neighbour in this round, or None at the open ends."""
        lower = self.comm.rank % 2 == round_no % 2
        other = self.comm.rank + 1 if lower else self.comm.rank - 1
        return other if 0 <= other < self.comm.size else None

    def try_swap(self, round_no):
        other = self.partner(round_no)
        if other is None:
            return
        if self.comm.rank < other:
            theirs = self.comm.recv(source=other, tag=round_no)
            delta = (self.beta - self.betas[other]) * (energy(self.x) - energy(theirs[0]))
            if delta >= 0 or self.rng.random() < math.exp(delta):
                reply = (self.x, self.label)
                self.x, self.label = theirs
                self.accepted += 1
            else:
                reply = None
            self.comm.send(reply, dest=other, tag=round_no)
        else:
            self.comm.send((self.x, self.label), dest=other, tag=round_no)
            reply = self.comm.recv(source=other, tag=round_no)
            if reply is not None:
                self.x, self.label = reply


def exact_energy(beta):
    x = np.linspace(-4.0, 4.0, 20001)
    w = np.exp(-beta * energy(x))
    return float((w * energy(x)).sum() / w.sum())


def main():
    comm = MPI.COMM_WORLD
    rep = Replica(comm, seed=77)
    acc = 0.0
    for r in range(ROUNDS):
        rep.metropolis(SWEEPS)
        acc += energy(rep.x)
        rep.try_swap(r)
        if r % 20 == 19:
            labels = comm.allgather(rep.label)
            assert sorted(labels) == list(range(comm.size)), "a replica was lost"

    swaps = comm.reduce(rep.accepted, op=MPI.SUM, root=0)
    means = comm.gather(acc / ROUNDS, root=0)
    if comm.rank == 0:
        attempts = sum(len(range(r % 2, comm.size - 1, 2)) for r in range(ROUNDS))
        assert 0 <= swaps <= attempts
        for mean, beta in zip(means, rep.betas):
            assert abs(mean - exact_energy(beta)) < 1.2, (mean, exact_energy(beta))
        print(f"{swaps}/{attempts} swaps, mean energies {np.round(means, 3).tolist()}")


if __name__ == "__main__":
    main()
