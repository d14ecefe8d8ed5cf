"""Where in the text of a corpus do its frequent terms appear?"""
from collections import defaultdict

import numpy as np
from mpi4py import MPI

import corpus

BINS = 8


def local_profiles(docs, terms):
    found = defaultdict(lambda: np.zeros(BINS, dtype=np.int64))
    for words in docs:
        for pos, word in enumerate(words):
            if word in terms:
                found[word][pos * BINS // len(words)] += 1
    return found


def combine(comm, found, terms):
    merged = {}
    for term in sorted(terms):
        total = np.empty(BINS, dtype=np.int64)
        comm.Allreduce(found[term], total, op=MPI.SUM)
        merged[term] = total
    return merged


def peak(profile):
    return int(np.argmax(profile)), int(profile.sum())


def main(total=30, follow=8):
    comm = MPI.COMM_WORLD
    docs = list(corpus.documents(total, comm.size, comm.rank))
    sample = corpus.frequent(docs, follow) if comm.rank == 0 else None
    terms = comm.bcast(sample, root=0)
    merged = combine(comm, local_profiles(docs, terms), terms)
    if comm.rank == 0:
        for term in sorted(merged):
            where, count = peak(merged[term])
            print(f"{term:10s} bin {where}  {count:5d}  {merged[term].tolist()}")


if __name__ == "__main__":
    main()
