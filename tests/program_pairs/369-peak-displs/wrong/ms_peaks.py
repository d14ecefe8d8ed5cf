"""Peak picking in mass spectra; the peaks of all ranks go to rank 0."""
import argparse
import sys

import numpy as np
from mpi4py import MPI


def spectrum(k, n=4000):
    rng = np.random.default_rng(k)
    mz = np.linspace(200, 1200, n)
    y = rng.exponential(0.4, n)
    for _ in range(rng.integers(5, 25)):
        y += rng.uniform(5, 60) * np.exp(-(((mz - rng.uniform(220, 1180)) / 0.6) ** 2))
    return mz, y


def pick(mz, y, snr=10.0):
    noise = np.median(y)
    inner = y[1:-1]
    top = (inner > y[:-2]) & (inner >= y[2:]) & (inner > snr * noise)
    return mz[1:-1][top]


def gather_peaks(comm, peaks):
    """All peaks on rank 0 (None elsewhere)."""
    counts = np.array(comm.allgather(peaks.size))
    if comm.rank != 0:
        comm.Gatherv(peaks, None, root=0)
        return None
    displs = np.cumsum(counts)
    merged = np.zeros(counts.sum())
    comm.Gatherv(peaks, [merged, counts, displs, MPI.DOUBLE], root=0)
    return merged


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--spectra", type=int, default=18)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    found = [pick(*spectrum(k)) for k in range(comm.rank, args.spectra, comm.size)]
    peaks = np.concatenate(found) if found else np.empty(0)
    checksum = comm.reduce(float(peaks.sum()), root=0)
    merged = gather_peaks(comm, peaks)

    if comm.rank == 0:
        hist, edges = np.histogram(merged, bins=5, range=(200, 1200))
        print(f"{merged.size} peaks, checksum {merged.sum():.3f} ({checksum:.3f})")
        for h, e in zip(hist, edges):
            print(f"  from {e:6.0f}: {h}")
        if not np.isclose(merged.sum(), checksum):
            sys.exit("peaks were lost")


if __name__ == "__main__":
    main()
