"""TF-IDF of a text collection and the most typical document for a query."""
import argparse
import math
from collections import Counter

from mpi4py import MPI

from corpus import documents


def share(docs, rank, size):
    start = len(docs) * rank // size
    stop = len(docs) * (rank + 1) // size
    return docs[start:stop]


def term_counts(docs):
    return {name: Counter(text.split()) for name, text in docs}


def merge(a, b):
    return a + b


def document_frequency(comm, counts):
    local = Counter()
    for c in counts.values():
        local.update(c.keys())
    return comm.allreduce(local, op=merge)


def score(counts, query, idf):
    norm = math.sqrt(sum((n * idf[t]) ** 2 for t, n in counts.items()))
    return sum(counts[t] * idf.get(t, 0.0) for t in query) / norm if norm else 0.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("query", nargs="*", default=["storm", "harbour"])
    parser.add_argument("-n", "--documents", type=int, default=1999)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    docs = list(documents(args.documents))
    mine = term_counts(share(docs, comm.rank, comm.size))
    total = comm.allreduce(len(mine))
    df = document_frequency(comm, mine)
    idf = {t: math.log((1 + total) / (1 + n)) for t, n in df.items()}

    ranked = sorted(((score(c, args.query, idf), name) for name, c in mine.items()), reverse=True)[:3]
    gathered = comm.gather(ranked, root=0)
    words = comm.reduce(sum(sum(c.values()) for c in mine.values()), root=0)
    if comm.rank == 0:
        print(f"{total} documents, {words} words, {len(df)} terms")
        for s, name in sorted((r for part in gathered for r in part), reverse=True)[:3]:
            print(f"{s:.6f} {name}")
        print("idf of the query:", " ".join(f"{t}={idf.get(t, 0.0):.6f}" for t in args.query))


if __name__ == "__main__":
    main()
