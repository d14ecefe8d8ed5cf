"""k-mer spectrum of a set of reads, reads dealt out to the ranks.

usage: mpirun -n 4 python kmers.py [-k 5] [--fasta reads.fa] [--top 8]

Without --fasta some artificial reads are used.
"""
import argparse
import random
from collections import Counter

import numpy as np
from mpi4py import MPI


def artificial_reads(n=600, length=90, seed=5):
    rnd = random.Random(seed)
    genome = "".join(rnd.choice("ACGT") for _ in range(3000))
    genome += "ACGTTGCA" * 40                      # a repeat
    for _ in range(n):
        p = rnd.randrange(len(genome) - length)
        yield genome[p:p + length]


def fasta_reads(path):
    seq = []
    with open(path) as f:
        for line in f:
            if line.startswith(">"):
                if seq:
                    yield "".join(seq)
                seq = []
            else:
                seq.append(line.strip().upper())
    if seq:
        yield "".join(seq)


def count_kmers(reads, k):
    c = Counter()
    for read in reads:
        for i in range(len(read) - k + 1):
            kmer = read[i:i + k]
            if "N" not in kmer:
                c[kmer] += 1
    return c


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-k", type=int, default=5)
    ap.add_argument("--fasta")
    ap.add_argument("--top", type=int, default=6)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    reads = fasta_reads(args.fasta) if args.fasta else artificial_reads()
    mine = [r for i, r in enumerate(reads) if i % size == rank]
    local = count_kmers(mine, args.k)

    # common vocabulary: every k-mer that any rank has seen gets a column
    seen = set()
    for part in comm.allgather(set(local)):
        seen |= part
    column = {kmer: j for j, kmer in enumerate(seen)}

    counts = np.zeros(len(column), dtype=np.int64)
    for kmer, n in local.items():
        counts[column[kmer]] = n
    total = np.zeros_like(counts)
    comm.Allreduce(counts, total, op=MPI.SUM)

    if rank == 0:
        print(f"{len(column)} different {args.k}-mers, {total.sum()} in all")
        names = list(column)
        order = sorted(range(len(names)), key=lambda j: (-total[j], names[j]))
        for j in order[:args.top]:
            print(f"{names[j]:>12s} {total[j]}")
        # histogram of multiplicities
        hist = np.bincount(np.minimum(total, 40))
        print("multiplicity histogram:", hist.tolist())


if __name__ == "__main__":
    main()
