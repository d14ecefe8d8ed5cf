"""Cutting reads into k-mers and spreading them over the ranks."""
from collections import Counter

import numpy as np

COMPLEMENT = str.maketrans("ACGT", "TGCA")


def synthetic_reads(n, length, seed):
    rng = np.random.default_rng(seed)
    genome = "".join(rng.choice(list("ACGT"), size=3000))
    starts = rng.integers(0, len(genome) - length, size=n)
    return [genome[s:s + length] for s in starts]


def canonical(kmer):
    rc = kmer.translate(COMPLEMENT)[::-1]
    return min(kmer, rc)


def count(reads, k):
    table = Counter()
    for read in reads:
        for i in range(len(read) - k + 1):
            table[canonical(read[i:i + k])] += 1
    return table


def owner(kmer, nparts):
    return hash(kmer) % nparts


def bucketise(table, nparts):
    buckets = [dict() for _ in range(nparts)]
    for kmer, n in table.items():
        buckets[owner(kmer, nparts)][kmer] = n
    return buckets
