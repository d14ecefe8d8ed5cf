from collections import Counter

_COMP = str.maketrans("ACGT", "TGCA")


def canonical(kmer):
    rc = kmer.translate(_COMP)[::-1]
    return kmer if kmer <= rc else rc


class KmerTable:
    def __init__(self, k):
        self.k = k
        self.counts = Counter()
        self.reads = 0

    def add(self, seq):
        k = self.k
        for i in range(len(seq) - k + 1):
            self.counts[canonical(seq[i:i + k])] += 1
        self.reads += 1

    def merge(self, other):
        out = KmerTable(self.k)
        out.counts = self.counts + other.counts
        out.reads = self.reads + other.reads
        return out

    def spectrum(self, limit=8):
        hist = Counter(min(c, limit) for c in self.counts.values())
        return [hist.get(i, 0) for i in range(1, limit + 1)]
