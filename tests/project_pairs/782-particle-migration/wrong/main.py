"""Free-streaming test particles in a periodic channel with a hot minority."""
import argparse

import numpy as np
from mpi4py import MPI

from domain import Strip
from migrate import Migrator


def load(strip, per_rank, seed):
    """Columns: x, velocity, label."""
    rng = np.random.default_rng((seed, strip.comm.rank))
    x = rng.uniform(strip.lo, strip.hi, per_rank)
    v = rng.normal(0.0, 0.02, per_rank)
    # the beam is injected near the inlet only
    beam = x < 0.1 * strip.length
    v[beam] += 0.45
    label = strip.comm.rank * per_rank + np.arange(per_rank)
    return np.column_stack((x, v, label))


def push(p, dt, length):
    p[:, 0] = np.mod(p[:, 0] + dt * p[:, 1], length)
    return p


def check(comm, p, expected):
    labels = comm.gather(p[:, 2].astype(int), root=0)
    if comm.rank == 0:
        seen = np.sort(np.concatenate(labels))
        assert len(seen) == expected, f"{len(seen)} of {expected} particles left"
        assert (seen == np.arange(expected)).all(), "labels were lost"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--per-rank", type=int, default=400)
    ap.add_argument("--steps", type=int, default=12)
    ap.add_argument("--dt", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=4)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    strip = Strip(comm)
    migrate = Migrator(strip)
    particles = load(strip, args.per_rank, args.seed)

    for step in range(args.steps):
        particles = push(particles, args.dt, strip.length)
        particles = migrate(particles)
        assert (strip.owner(particles[:, 0]) == comm.rank).all()
        if step % 4 == 3:
            counts = comm.gather(len(particles), root=0)
            if comm.rank == 0:
                print(f"step {step + 1:3d}  particles per strip {counts}", flush=True)

    check(comm, particles, args.per_rank * comm.size)
    if comm.rank == 0:
        print(f"done after {migrate.rounds} exchange rounds")


if __name__ == "__main__":
    main()
