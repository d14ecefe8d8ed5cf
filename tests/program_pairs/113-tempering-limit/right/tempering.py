"""Parallel tempering of a 2-D Ising model with a wall-clock budget."""
import argparse
import time

import numpy as np
from mpi4py import MPI


class Replica:
    def __init__(self, side, beta, rng):
        self.spins = rng.choice([-1, 1], size=(side, side))
        self.beta = beta
        self.rng = rng
        self.mask = (np.indices((side, side)).sum(axis=0) % 2).astype(bool)

    def neighbours(self):
        s = self.spins
        return np.roll(s, 1, 0) + np.roll(s, -1, 0) + np.roll(s, 1, 1) + np.roll(s, -1, 1)

    @property
    def energy(self):
        return -0.5 * float((self.spins * self.neighbours()).sum())

    def sweep(self):
        for parity in (self.mask, ~self.mask):
            delta = 2.0 * self.spins * self.neighbours()
            accept = self.rng.random(delta.shape) < np.exp(-self.beta * delta)
            self.spins[parity & accept] *= -1


def swap(comm, replica, round_no, shared_rng):
    """Exchange inverse temperatures between neighbouring ranks."""
    u = shared_rng.random(comm.size)
    up = (comm.rank + round_no) % 2 == 0
    peer = comm.rank + 1 if up else comm.rank - 1
    if not 0 <= peer < comm.size:
        return False
    mine = (replica.energy, replica.beta)
    energy, beta = comm.sendrecv(mine, dest=peer, source=peer, sendtag=round_no, recvtag=round_no)
    log_ratio = (replica.beta - beta) * (replica.energy - energy)
    if np.log(u[min(comm.rank, peer)]) < log_ratio:
        replica.beta = beta
        return True
    return False


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--side", type=int, default=16)
    ap.add_argument("--seconds", type=float, default=0.6)
    ap.add_argument("--max-rounds", type=int, default=100000)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    betas = np.linspace(0.2, 0.6, comm.size)
    replica = Replica(args.side, betas[comm.rank], np.random.default_rng([8, comm.rank]))
    shared_rng = np.random.default_rng(4)

    begin = time.monotonic()
    swaps = rounds = 0
    for round_no in range(args.max_rounds):
        replica.sweep()
        swaps += swap(comm, replica, round_no, shared_rng)
        rounds += 1
        if comm.bcast(time.monotonic() - begin > args.seconds, root=0):
            break

    spread = comm.allreduce(rounds, op=MPI.MAX) - comm.allreduce(rounds, op=MPI.MIN)
    betas_now = comm.gather(replica.beta)
    total = comm.reduce(swaps)
    if comm.rank == 0:
        same = np.allclose(sorted(betas_now), betas)
        print(f"round spread {spread}, temperatures preserved: {same}, swaps counted: {total is not None}")


if __name__ == "__main__":
    main()
