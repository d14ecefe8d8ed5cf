"""Produce a toy dimuon mass spectrum with a farm of generator jobs."""
import argparse
import json

from mpi4py import MPI

from farm.jobs import make_jobs
from farm.master import Master
from farm.report import summarize
from farm.worker import Worker


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--jobs", type=int, default=20)
    ap.add_argument("--events", type=int, default=4000, help="events of an average job")
    ap.add_argument("--bins", type=int, default=40)
    ap.add_argument("--seed", type=int, default=91)
    ap.add_argument("--out", default="spectrum.json")
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("needs a master and at least one worker")

    if comm.rank == 0:
        jobs = make_jobs(args.jobs, args.events, args.seed)
        spectrum = Master(comm, args.bins).run(jobs)
        summary = summarize(spectrum)
        with open(args.out, "w") as fh:
            json.dump({"summary": summary, "counts": spectrum.counts.tolist()}, fh)
        for key, value in summary.items():
            print(f"{key:>10s}: {value}")
    else:
        Worker(comm, args.bins).serve()


if __name__ == "__main__":
    main()
