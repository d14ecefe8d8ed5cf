import argparse

import numpy as np
from mpi4py import MPI

from physics import batch
from walltime import Walltime


class TransportRun:
    NAMES = ("absorbed", "reflected", "transmitted")

    def __init__(self, comm, histories, seed):
        self.comm = comm
        self.n = histories
        streams = np.random.SeedSequence(seed).spawn(comm.size)
        self.rng = np.random.default_rng(streams[comm.rank])
        self.sum = np.zeros(4)
        self.sum2 = np.zeros(4)
        self.batches = 0

    def one_batch(self):
        tally = batch(self.n, self.rng)
        total = np.empty_like(tally)
        self.comm.Allreduce(tally, total, op=MPI.SUM)
        per = total / (self.n * self.comm.size)
        self.sum += per
        self.sum2 += per**2
        self.batches += 1

    def save(self, path="tally.npz"):
        if self.comm.rank == 0:
            np.savez(path, sum=self.sum, sum2=self.sum2, batches=self.batches)

    def error(self):
        if self.batches < 2:
            return np.inf
        mean = self.sum / self.batches
        var = self.sum2 / self.batches - mean**2
        return float(np.sqrt(np.clip(var, 0, None) / (self.batches - 1))[2])

    def run(self, target, clock, max_batches):
        reason = "batch limit"
        while self.batches < max_batches:
            self.one_batch()
            self.save()
            if self.error() < target:
                reason = "converged"
                break
            if self.comm.allreduce(clock.expired(), op=MPI.LOR):
                reason = "time limit"
                break
        return reason


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--histories", type=int, default=500, help="per rank and batch")
    ap.add_argument("--target", type=float, default=1e-6)
    ap.add_argument("--minutes", type=float, default=0.02)
    ap.add_argument("--max-batches", type=int, default=10**6)
    ap.add_argument("--seed", type=int, default=4)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    clock = Walltime(60.0 * args.minutes)
    job = TransportRun(comm, args.histories, args.seed)
    reason = job.run(args.target, clock, args.max_batches)

    histories = comm.reduce(job.batches * job.n, op=MPI.SUM, root=0)
    if comm.rank == 0:
        print(f"{reason}: {job.batches} batches, {histories} histories, {clock.used:.1f} s")
        for name, val in zip(job.NAMES, job.sum / job.batches):
            print(f"{name:12s} {val:.6f}")
        print(f"error of transmission {job.error():.2e}")


if __name__ == "__main__":
    main()
