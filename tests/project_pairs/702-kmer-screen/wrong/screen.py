"""Screen reads for contamination against a reference genome."""
import argparse
import logging

from mpi4py import MPI

from kindex import open_index
from seqs import random_genome, simulate_reads


def screen(index, reads, threshold):
    kept = [r for r in reads if index.score(r) >= threshold]
    return len(kept), len(reads) - len(kept)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-k", type=int, default=15)
    ap.add_argument("--genome-length", type=int, default=60000)
    ap.add_argument("--reads", type=int, default=400)
    ap.add_argument("--read-length", type=int, default=80)
    ap.add_argument("--threshold", type=float, default=0.5)
    ap.add_argument("--cache", default="kmer_cache")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    logging.basicConfig(level=logging.INFO if rank == 0 else logging.WARNING)

    genome = random_genome(args.genome_length, seed=7)
    index = open_index(comm, genome, args.k, args.cache)

    reads = simulate_reads(genome, args.reads, args.read_length, seed=8)
    kept, dropped = screen(index, reads[rank::size], args.threshold)

    kept = comm.reduce(kept, op=MPI.SUM, root=0)
    dropped = comm.reduce(dropped, op=MPI.SUM, root=0)
    if rank == 0:
        print(f"kept {kept} dropped {dropped} of {args.reads}")


if __name__ == "__main__":
    main()
