"""Vocabulary over the shards of all ranks."""
from collections import Counter

from mpi4py import MPI

from corpus import tokenize

UNK = "<unk>"


class Vocabulary:
    def __init__(self, words):
        self.itos = [UNK, *words]
        self.stoi = {w: i for i, w in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, text):
        return [self.stoi.get(tok, 0) for tok in tokenize(text)]

    @classmethod
    def build(cls, texts, comm=MPI.COMM_WORLD, min_count=3):
        """Collective: all ranks pass their shard's texts."""
        counts = Counter()
        for text in texts:
            counts.update(tokenize(text))
        total = comm.allreduce(counts, op=MPI.SUM)
        words = {w for w, c in total.items() if c >= min_count}
        return cls(words)
