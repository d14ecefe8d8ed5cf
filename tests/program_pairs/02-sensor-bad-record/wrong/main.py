import logging
import statistics
import sys

from mpi4py import MPI

import readings

log = logging.getLogger("sensors")


def summarise(values):
    return {
        "n": len(values),
        "mean": statistics.fmean(values),
        "max": max(values),
    }


def process_station_block(comm, lines):
    """Parse my lines and return per-rank summaries (root only)."""
    try:
        values = [readings.parse(line) for line in lines]
    except ValueError as exc:
        log.warning("rank %d: skipping block: %s", comm.Get_rank(), exc)
        return None

    summary = summarise(values)
    return comm.gather(summary, root=0)


def combine(summaries):
    good = [s for s in summaries if s is not None]
    n = sum(s["n"] for s in good)
    if n == 0:
        return 0, float("nan"), float("nan")
    mean = sum(s["n"] * s["mean"] for s in good) / n
    return n, mean, max(s["max"] for s in good)


def main():
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    lines = readings.load(240)
    per = -(-len(lines) // size)
    mine = lines[rank * per:(rank + 1) * per]

    summaries = process_station_block(comm, mine)
    if rank == 0 and summaries:
        n, mean, peak = combine(summaries)
        print(f"{n} readings, mean {mean:.2f}, peak {peak:.2f}")
    comm.Barrier()


if __name__ == "__main__":
    main()
