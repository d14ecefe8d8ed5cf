#!/usr/bin/env python3
"""Histogram pipeline with timers per stage: read, scatter, bin, reduce."""
import contextlib
import time

import numpy as np
from mpi4py import MPI

timings = {}


@contextlib.contextmanager
def timer(stage):
    t0 = time.perf_counter()
    try:
        yield
    finally:
        timings[stage] = timings.get(stage, 0.0) + time.perf_counter() - t0


def read_events(n, seed=21):
    rng = np.random.default_rng(seed)
    signal = rng.normal(91.2, 2.5, n // 5)
    background = rng.exponential(60.0, n - n // 5)
    events = np.concatenate([signal, background])
    rng.shuffle(events)
    return events


def summary(comm, stages):
    lines = []
    for stage in stages:
        slowest = comm.reduce(timings[stage], op=MPI.MAX, root=0)
        if comm.rank == 0:
            lines.append(f"{stage:10s} {1e3 * slowest:9.3f} ms")
    return lines


def main(nevents=300_000, bins=60):
    comm = MPI.COMM_WORLD
    edges = np.linspace(0.0, 180.0, bins + 1)

    chunks = None
    if comm.rank == 0:
        with timer("read"):
            events = read_events(nevents)
            chunks = np.array_split(events, comm.size)
    else:
        timings["read"] = 0.0

    with timer("scatter"):
        mine = comm.scatter(chunks, root=0)

    with timer("bin"):
        counts, _ = np.histogram(mine, edges)

    with timer("reduce"):
        total = np.empty_like(counts) if comm.rank == 0 else None
        comm.Reduce(counts, total, op=MPI.SUM, root=0)

    report = summary(comm, ["read", "scatter", "bin", "reduce"])
    if comm.rank == 0:
        print("\n".join(report))
        peak = edges[np.argmax(total[25:36]) + 25]
        print(f"{total.sum()} events in range, resonance bin starts at {peak:.1f}")


if __name__ == "__main__":
    main()
