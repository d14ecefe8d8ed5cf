import argparse

import numpy as np
from mpi4py import MPI

from .collect import PickCollector
from .signal import bandpass, pick, seismogram


def process(fs, seconds, rank, threshold):
    raw = seismogram(fs, seconds, rank)
    times, amps = pick(bandpass(raw, fs), fs, threshold)
    return times + rank * seconds, amps


def main() -> int:
    ap = argparse.ArgumentParser()
    ap.add_argument("--fs", type=float, default=100.0)
    ap.add_argument("--seconds", type=float, default=20.0)
    ap.add_argument("--threshold", type=float, default=0.4)
    ap.add_argument("--out", default=None)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    times, amps = process(args.fs, args.seconds, comm.rank, args.threshold)
    collector = PickCollector(comm)
    all_t = collector.gather(times)
    all_a = collector.gather(amps)

    if comm.rank == 0:
        order = np.argsort(all_t)
        print(f"{len(all_t)} picks in {comm.size * args.seconds:.0f} s")
        for t, a in zip(all_t[order], all_a[order]):
            print(f"  {t:8.3f} s   {a:6.3f}")
        if args.out:
            np.savetxt(args.out, np.column_stack([all_t, all_a])[order])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
