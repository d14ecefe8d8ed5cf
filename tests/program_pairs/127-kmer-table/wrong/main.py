import heapq
from collections import Counter

from mpi4py import MPI

import kmers

CONFIG = {"reads": 400, "length": 80, "k": 15, "seed": 4, "min_count": 2}


def shuffle(comm, table):
    """Bring all occurrences of a k-mer to the rank that owns it."""
    incoming = comm.alltoall(kmers.bucketise(table, comm.size))
    merged = Counter()
    for part in incoming:
        merged.update(part)
    return merged


def summary(comm, mine, min_count):
    solid = sum(1 for n in mine.values() if n >= min_count)
    numbers = comm.reduce(Counter(distinct=len(mine), solid=solid, total=sum(mine.values())), root=0)
    top = comm.gather(heapq.nlargest(5, mine.items(), key=lambda kv: (kv[1], kv[0])), root=0)
    if comm.rank == 0:
        best = heapq.nlargest(5, (kv for part in top for kv in part), key=lambda kv: (kv[1], kv[0]))
        return dict(numbers), best
    return None, None


def main():
    comm = MPI.COMM_WORLD
    reads = None
    if comm.rank == 0:
        everything = kmers.synthetic_reads(CONFIG["reads"], CONFIG["length"], CONFIG["seed"])
        reads = [everything[r::comm.size] for r in range(comm.size)]
    reads = comm.scatter(reads, root=0)

    table = kmers.count(reads, CONFIG["k"])
    mine = shuffle(comm, table)
    numbers, best = summary(comm, mine, CONFIG["min_count"])
    if comm.rank == 0:
        print("  ".join(f"{k}={v}" for k, v in sorted(numbers.items())))
        for kmer, n in best:
            print(kmer, n)


if __name__ == "__main__":
    main()
