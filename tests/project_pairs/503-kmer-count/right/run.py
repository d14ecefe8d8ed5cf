import logging
import sys

from mpi4py import MPI

from pipeline import Pipeline
from reads import make_records

CONFIG = {
    "k": 9,
    "read_length": 60,
    "lanes": [
        {"name": "L001", "reads": 120, "seed": 1},
        {"name": "L002", "reads": 120, "seed": 2, "bad_every": 100},
        {"name": "L003", "reads": 120, "seed": 3},
    ],
}


def lane_lines(lane, comm):
    if comm.rank != 0:
        return None
    return make_records(lane["reads"], CONFIG["read_length"], lane["seed"],
                        lane.get("bad_every", 0))


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, level=logging.INFO,
                        format=f"[{comm.rank}] %(message)s")
    log = logging.getLogger("run")
    pipe = Pipeline(comm, CONFIG)
    results = {}
    for lane in CONFIG["lanes"]:
        table = pipe.process_lane(lane["name"], lane_lines(lane, comm))
        if table is not None:
            results[lane["name"]] = table

    slowest = comm.reduce(pipe.timings.get("distribute", 0.0), op=MPI.MAX, root=0)
    skipped = comm.reduce(pipe.skipped, op=MPI.MAX, root=0)
    if comm.rank == 0:
        for name, table in results.items():
            log.info("%s: %d reads, %d distinct, spectrum %s",
                     name, table.reads, len(table.counts), table.spectrum())
        log.info("lanes skipped: %d, scatter time ok: %s", skipped, slowest < 60)


if __name__ == "__main__":
    main()
