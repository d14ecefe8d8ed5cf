import logging
import os
import sys

from mpi4py import MPI

from flow.driver import Driver
from flow.spec import QUEUE


def selected(queue):
    """Workflows named in FLOW_ONLY, or all."""
    only = os.environ.get("FLOW_ONLY")
    if not only:
        return queue
    return [raw for raw in queue if raw["name"] in only.split(",")]


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
    driver = Driver(comm)
    for raw in selected(QUEUE):
        driver.run(raw)
    if comm.rank == 0:
        print("finished", driver.totals, "refused", driver.refused)
    return 0 if driver.totals else 1


if __name__ == "__main__":
    sys.exit(main())
