"""An index of reference k-mers that is built once and kept on disk."""
import json
import logging
import os

from seqs import kmers

log = logging.getLogger("kscreen")


class KmerIndex:
    def __init__(self, k, counts):
        self.k = k
        self.counts = counts

    @classmethod
    def build(cls, genome, k):
        counts = {}
        for word in kmers(genome, k):
            counts[word] = counts.get(word, 0) + 1
        return cls(k, counts)

    @classmethod
    def load(cls, path):
        with open(path) as fh:
            raw = json.load(fh)
        return cls(raw["k"], raw["counts"])

    def save(self, path):
        part = path + ".part"
        with open(part, "w") as fh:
            json.dump({"k": self.k, "counts": self.counts}, fh)
        os.replace(part, path)

    def score(self, read):
        words = list(kmers(read, self.k))
        return sum(w in self.counts for w in words) / len(words)


def open_index(comm, genome, k, cache_dir):
    """Return the index for this genome, building it on first use."""
    path = os.path.join(cache_dir, f"k{k}_n{len(genome)}.json")
    if comm.Get_rank() == 0 and not os.path.exists(path):
        log.info("building index %s", path)
        os.makedirs(cache_dir, exist_ok=True)
        KmerIndex.build(genome, k).save(path)
    return KmerIndex.load(path)
