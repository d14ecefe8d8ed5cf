"""Bag-of-words features; the vocabulary is built once and kept in a cache file."""
import json
import os
from collections import Counter
from pathlib import Path

import numpy as np
from mpi4py import MPI

CONFIG = {"workdir": "bow_cache", "documents": 240, "words": 60, "vocab": 300}


def documents(ids):
    for i in ids:
        rng = np.random.default_rng(i)
        yield [f"w{int(k)}" for k in rng.zipf(1.4, size=CONFIG["words"]) if k < 5000]


class Vocabulary:
    def __init__(self, index):
        self.index = index

    @classmethod
    def build(cls, docs, size):
        counts = Counter()
        for doc in docs:
            counts.update(doc)
        ranked = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
        return cls({w: i for i, (w, _) in enumerate(ranked[:size])})

    def save(self, path):
        tmp = path.with_suffix(".tmp")
        with tmp.open("w") as fh:
            json.dump(self.index, fh)
        os.replace(tmp, path)

    @classmethod
    def load(cls, path):
        with path.open() as fh:
            return cls(json.load(fh))

    def encode(self, doc):
        row = np.zeros(len(self.index))
        for word in doc:
            j = self.index.get(word)
            if j is not None:
                row[j] += 1
        return row


def prepare(comm, workdir):
    """Return the path of the vocabulary, usable on each rank."""
    path = Path(workdir) / f"vocab_{CONFIG['vocab']}.json"
    if comm.rank == 0:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            vocab = Vocabulary.build(documents(range(CONFIG["documents"])), CONFIG["vocab"])
            vocab.save(path)
    comm.Barrier()
    return path


def main():
    comm = MPI.COMM_WORLD
    vocab = Vocabulary.load(prepare(comm, CONFIG["workdir"]))
    mine = range(comm.rank, CONFIG["documents"], comm.size)
    total = np.zeros(len(vocab.index))
    present = np.zeros(len(vocab.index))
    for doc in documents(mine):
        row = vocab.encode(doc)
        total += row
        present += row > 0
    comm.Allreduce(MPI.IN_PLACE, total)
    comm.Allreduce(MPI.IN_PLACE, present)
    idf = np.log(CONFIG["documents"] / np.maximum(present, 1))
    if comm.rank == 0:
        print(f"{len(idf)} words, {int(total.sum())} tokens, mean idf {idf.mean():.5f}")


if __name__ == "__main__":
    main()
