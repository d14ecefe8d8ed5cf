"""Episode collection: workers send a header and the rewards, the learner aggregates."""
import argparse
import sys
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI

HEADER, REWARDS = 1, 2


@dataclass
class Statistics:
    returns: dict = field(default_factory=dict)

    def add(self, worker, episode, rewards, gamma=0.99):
        discount = gamma ** np.arange(len(rewards))
        self.returns[worker, episode] = float((discount * rewards).sum())

    def checksum(self):
        return sum((17 * w + e + 1) * r for (w, e), r in sorted(self.returns.items()))


def episode_rewards(worker, episode):
    rng = np.random.default_rng([worker, episode])
    length = int(rng.integers(20, 200))
    return rng.normal(loc=worker, size=length)


def expected(n_workers, episodes):
    stats = Statistics()
    for w in range(1, n_workers + 1):
        for e in range(episodes):
            stats.add(w, e, episode_rewards(w, e))
    return stats.checksum()


def worker_loop(comm, episodes):
    for e in range(episodes):
        rewards = episode_rewards(comm.rank, e)
        comm.send({"worker": comm.rank, "episode": e, "length": len(rewards)}, dest=0, tag=HEADER)
        comm.Send(rewards, dest=0, tag=REWARDS)


def learner_loop(comm, episodes):
    stats = Statistics()
    for _ in range(episodes * (comm.size - 1)):
        header = comm.recv(source=MPI.ANY_SOURCE, tag=HEADER)
        rewards = np.empty(header["length"])
        comm.Recv(rewards, source=header["worker"], tag=REWARDS)
        stats.add(header["worker"], header["episode"], rewards)
    return stats


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--episodes", type=int, default=40)
    args = p.parse_args()
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        print("at least one worker is required", file=sys.stderr)
        return
    if comm.rank == 0:
        stats = learner_loop(comm, args.episodes)
        good = np.isclose(stats.checksum(), expected(comm.size - 1, args.episodes))
        print(f"{len(stats.returns)} episodes, checksum {'ok' if good else 'WRONG'}")
    else:
        worker_loop(comm, args.episodes)


if __name__ == "__main__":
    main()
