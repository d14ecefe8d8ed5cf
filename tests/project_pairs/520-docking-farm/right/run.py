import argparse
import logging
import sys

from mpi4py import MPI

from docking import dock
from farm.manager import Manager
from farm.protocol import Task
from farm.worker import Worker


def build_tasks(args):
    return [Task(f"lig{i:03d}", {"seed": i, "atoms": 8 + i % 5, "poses": args.poses,
                                 "limit": args.limit})
            for i in range(args.ligands)]


def report(done, failed):
    for key in sorted(done):
        print(f"{key}  {done[key].value:10.4f}")
    for key in sorted(failed):
        print(f"{key}  failed: {failed[key].error}")
    print(f"{len(done)} docked, {len(failed)} failed")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ligands", type=int, default=7)
    ap.add_argument("--poses", type=int, default=150)
    ap.add_argument("--limit", type=float, default=-0.5)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    if comm.size < 2:
        sys.exit("needs a manager and at least one worker")
    if comm.rank == 0:
        done, failed = Manager(comm, build_tasks(args)).run()
        report(done, failed)
        handled = 0
    else:
        handled = Worker(comm, dock).run()
    counts = comm.gather(handled, root=0)
    if comm.rank == 0:
        print("tasks handled:", sum(counts))


if __name__ == "__main__":
    main()
