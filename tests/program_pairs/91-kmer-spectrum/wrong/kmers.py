#!/usr/bin/env python
"""Count k-mers of a set of reads in parallel and report the most abundant ones."""
from __future__ import annotations

import argparse
import logging
from collections import Counter
from typing import Iterable, Iterator

import numpy as np
from mpi4py import MPI

log = logging.getLogger("kmers")
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def simulate_reads(n_reads: int, length: int, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    genome = "".join(rng.choice(list("ACGT"), size=600, p=[0.4, 0.1, 0.1, 0.4]))
    starts = rng.integers(0, len(genome) - length, size=n_reads)
    return [genome[s:s + length] for s in starts]


def canonical(kmer: str) -> str:
    rc = kmer.translate(COMPLEMENT)[::-1]
    return min(kmer, rc)


def iter_kmers(reads: Iterable[str], k: int) -> Iterator[str]:
    for read in reads:
        for i in range(len(read) - k + 1):
            yield canonical(read[i:i + k])


def global_spectrum(comm: MPI.Comm, local: Counter, min_count: int) -> dict[str, int]:
    seen = set().union(*comm.allgather(set(local)))
    spectrum = {}
    for kmer in seen:
        total = comm.allreduce(local[kmer], op=MPI.SUM)
        if total >= min_count:
            spectrum[kmer] = total
    return spectrum


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-k", type=int, default=5)
    ap.add_argument("--reads", type=int, default=400)
    ap.add_argument("--length", type=int, default=60)
    ap.add_argument("--min-count", type=int, default=2)
    ap.add_argument("--top", type=int, default=3)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    logging.basicConfig(level=logging.INFO if comm.rank == 0 else logging.WARNING,
                        format="%(name)s: %(message)s")

    reads = simulate_reads(args.reads, args.length, seed=7)[comm.rank::comm.size]
    local = Counter(iter_kmers(reads, args.k))
    spectrum = global_spectrum(comm, local, args.min_count)

    best = sorted(spectrum.items(), key=lambda kv: (-kv[1], kv[0]))[:args.top]
    log.info("%d distinct k-mers kept", len(spectrum))
    for kmer, n in best:
        log.info("%s %6d", kmer, n)


if __name__ == "__main__":
    main()
