import argparse
import logging
import sys

from mpi4py import MPI

from prep.inbox import Inbox
from prep.source import crawl
from prep.worker import PrepWorker


def main():
    p = argparse.ArgumentParser(description="filter the crawl dumps of the inbox")
    p.add_argument("--root", default="corpus")
    p.add_argument("--dumps", type=int, default=40)
    p.add_argument("--pages", type=int, default=60)
    args = p.parse_args()
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    inbox = Inbox(args.root)
    if comm.rank == 0:
        inbox.prepare()
        crawl(inbox.new, args.dumps, args.pages, seed=12)
    comm.Barrier()
    pages, dropped = PrepWorker(comm, inbox).run()
    if comm.rank == 0:
        left = inbox.waiting()
        print(f"{pages} pages kept, dropped {dict(dropped)}, {len(left)} dumps left")
        return 1 if left else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
