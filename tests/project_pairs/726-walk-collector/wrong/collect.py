"""Walks are made on ranks 1.., rank 0 gathers them and prints their spread."""
import sys

from mpi4py import MPI

from post import Collector, Sender
from walks import length_of, spread, walk


def produce(comm, jobs):
    sender = Sender(comm)
    for job in range(comm.rank - 1, jobs, comm.size - 1):
        with sender.parcel(job, length_of(job)) as box:
            box[:] = walk(job)


def main(jobs=8):
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        sys.exit("needs at least two ranks")
    if comm.rank > 0:
        produce(comm, jobs)
        return
    table = {job: (len(path) - 1, spread(path))
             for job, path in Collector(comm).parcels(jobs)}
    for job in sorted(table):
        steps, value = table[job]
        print(f"walk {job}: {steps:5d} steps, spread {value:8.4f}")


if __name__ == "__main__":
    main()
