import json
import os
import sys

from mpi4py import MPI

from textprep.counting import DocumentStats
from textprep.corpus import Corpus
from textprep.vocab import VocabStore

SETTINGS = {
    "documents": 90,
    "words_per_document": 60,
    "min_count": 3,
    "max_words": 200,
    "cache_dir": os.environ.get("TEXTPREP_CACHE", "cache"),
    "rebuild": bool(int(os.environ.get("TEXTPREP_REBUILD", "1"))),
}


def report(comm, stats, vocab):
    merged = stats.merge(comm)
    if comm.rank == 0:
        top = sorted(merged.items(), key=lambda kv: -kv[1])[:5]
        words = {i: w for w, i in vocab.items()}
        print("vocabulary", len(vocab), "ids", sum(merged.values()))
        print(json.dumps({words.get(i, "<unk>"): n for i, n in top}))


def main():
    comm = MPI.COMM_WORLD
    corpus = Corpus(SETTINGS["documents"], SETTINGS["words_per_document"])
    store = VocabStore(SETTINGS["cache_dir"], comm, min_count=SETTINGS["min_count"],
                       max_words=SETTINGS["max_words"])
    vocab = store.get(corpus, rebuild=SETTINGS["rebuild"])

    stats = DocumentStats(vocab)
    for doc in corpus.shard(comm.rank, comm.size):
        stats.add(doc)
    report(comm, stats, vocab)
    return 0


if __name__ == "__main__":
    sys.exit(main())
