"""Synthetic sequences and k-mer helpers."""
import numpy as np

BASES = np.array(list("ACGT"))


def random_genome(length, seed):
    return "".join(np.random.default_rng(seed).choice(BASES, size=length))


def simulate_reads(genome, count, length, seed, contaminants=0.25):
    """Reads drawn from the genome, a part of them replaced by foreign sequence."""
    rng = np.random.default_rng(seed)
    reads = []
    for _ in range(count):
        if rng.random() < contaminants:
            reads.append("".join(rng.choice(BASES, size=length)))
        else:
            at = int(rng.integers(0, len(genome) - length))
            reads.append(genome[at : at + length])
    return reads


def kmers(seq, k):
    for i in range(len(seq) - k + 1):
        yield seq[i : i + k]
