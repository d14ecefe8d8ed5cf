"""Distributed k-mer spectrum: every k-mer is counted by exactly one rank."""
from collections import Counter
from zlib import crc32

COMPLEMENT = str.maketrans("ACGT", "TGCA")


def canonical(kmer):
    other = kmer.translate(COMPLEMENT)[::-1]
    return min(kmer, other)


def split_read(read, k):
    for i in range(len(read) - k + 1):
        yield canonical(read[i:i + k])


def make_owner(size):
    def owner(kmer):
        return crc32(kmer.encode()) % size
    return owner


def count_distributed(comm, reads, k):
    """Counter of the k-mers owned by this rank over the reads of all ranks."""
    owner = make_owner(comm.size)
    local = Counter()
    for read in reads:
        local.update(split_read(read, k))

    outgoing = [{} for _ in range(comm.size)]
    for kmer, n in local.items():
        outgoing[owner(kmer)][kmer] = n

    mine = Counter()
    for part in comm.alltoall(outgoing):
        mine.update(part)
    return mine


def spectrum(counts, depth):
    """Number of k-mers seen once, twice, ... depth or more times."""
    hist = [0] * depth
    for n in counts.values():
        hist[min(n, depth) - 1] += 1
    return hist
