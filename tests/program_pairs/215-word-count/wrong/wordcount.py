"""Word count the map-reduce way: map locally, shuffle with alltoall, reduce."""
import random
import re
import sys
from collections import Counter

from mpi4py import MPI

VOCABULARY = """
message passing interface rank root broadcast scatter gather reduce barrier
window epoch fence lock put get accumulate request wait test probe status tag
source communicator group topology graph cart intercomm spawn port datatype
vector indexed struct contiguous resized pack unpack buffer send recv
""".split()


def local_documents(rank, count=40):
    rng = random.Random(9000 + rank)
    for _ in range(count):
        words = [VOCABULARY[int(len(VOCABULARY) * rng.random() ** 2)] for _ in range(50)]
        yield " ".join(words).capitalize() + "."


def mapper(documents):
    counts = Counter()
    for doc in documents:
        counts.update(re.findall(r"[a-z]+", doc.lower()))
    return counts


def shuffle(comm, counts):
    outgoing = [{} for _ in range(comm.size)]
    for word, n in counts.items():
        outgoing[hash(word) % comm.size][word] = n
    return comm.alltoall(outgoing)


def reducer(incoming):
    total = Counter()
    for part in incoming:
        total.update(part)
    return total


def main():
    comm = MPI.COMM_WORLD
    counts = mapper(local_documents(comm.rank))
    owned = reducer(shuffle(comm, counts))

    tables = comm.gather(owned, root=0)
    status = 0
    if comm.rank == 0:
        entries = sum(len(t) for t in tables)
        distinct = len({w for t in tables for w in t})
        top = max((t.most_common(1)[0] for t in tables if t), key=lambda item: item[1])
        print(f"{entries} entries for {distinct} words, most frequent: {top[0]} ({top[1]})")
        status = 0 if entries == distinct else 1
    sys.exit(comm.bcast(status, root=0))


if __name__ == "__main__":
    main()
