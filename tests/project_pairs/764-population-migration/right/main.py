import argparse

import numpy as np
from mpi4py import MPI

from member import HParams, Member
from migration import exploit


def build_parser():
    parser = argparse.ArgumentParser(description="population-based training, one member per rank")
    parser.add_argument("--intervals", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--margin", type=float, default=0.01)
    parser.add_argument("--features", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=5)
    return parser


def report(comm, interval, score, adopted):
    rows = comm.gather((score, adopted), root=0)
    if comm.rank == 0:
        scores = [s for s, _ in rows]
        moved = sum(a for _, a in rows)
        print(f"interval {interval}: best {max(scores):.3f} worst {min(scores):.3f} adopted {moved}", flush=True)


def main(argv=None):
    args = build_parser().parse_args(argv)
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng([args.seed, comm.rank])
    member = Member(HParams.sample(rng), rng, n_features=args.features, task_seed=args.seed)

    for interval in range(args.intervals):
        member.train(args.steps)
        score = member.score()
        adopted = exploit(comm, member, score, args.margin, rng)
        report(comm, interval, score, adopted)

    best, owner = comm.allreduce((member.score(), comm.rank), op=MPI.MAXLOC)
    if comm.rank == owner:
        print(f"winner: member {owner} with {best:.3f}, {member.hparams}")


if __name__ == "__main__":
    main()
