"""Distributed word count (map, shuffle, reduce) over generated text."""
import random
import re
import zlib
from collections import Counter

from mpi4py import MPI

VOCABULARY = """the of and to in is that for it as was with be by on not he his but at are
this have from or had an they which one you were her all she there would their we him been
has when who will more no if out so said what up its about into than them can only other""".split()

WORD = re.compile(r"[a-z']+")


def documents(rank, count, length=400):
    rng = random.Random(rank)
    weights = [1.0 / (i + 1) for i in range(len(VOCABULARY))]
    for _ in range(count):
        yield " ".join(rng.choices(VOCABULARY, weights, k=length)).capitalize() + "."


def map_phase(docs):
    counts = Counter()
    for doc in docs:
        counts.update(WORD.findall(doc.lower()))
    return counts


def owner(word, size):
    return hash(word) % size


def shuffle(comm, counts):
    outgoing = [{} for _ in range(comm.size)]
    for word, n in counts.items():
        outgoing[owner(word, comm.size)][word] = n
    return comm.alltoall(outgoing)


def reduce_phase(parts):
    total = Counter()
    for part in parts:
        total.update(part)
    return total


def main():
    comm = MPI.COMM_WORLD
    counts = map_phase(documents(comm.rank, 50))
    owned = reduce_phase(shuffle(comm, counts))
    distinct = comm.reduce(len(owned), root=0)
    candidates = comm.gather(owned.most_common(5), root=0)
    words = comm.reduce(sum(owned.values()), root=0)
    if comm.rank == 0:
        print(words, "words,", distinct, "distinct of", len(set(VOCABULARY)))
        flat = [pair for part in candidates for pair in part]
        for word, n in sorted(flat, key=lambda wn: -wn[1])[:5]:
            print(f"{word:8s} {n}")


if __name__ == "__main__":
    main()
