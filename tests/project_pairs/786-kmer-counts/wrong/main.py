"""k-mer spectrum of a simulated sequencing run."""
import argparse
from collections import Counter

from mpi4py import MPI

from kmers import count_distributed, split_read, spectrum
from reads import genome, sequencer


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("-k", type=int, default=15)
    ap.add_argument("--reads", type=int, default=600)
    ap.add_argument("--length", type=int, default=80)
    ap.add_argument("--genome", type=int, default=4000)
    ap.add_argument("--errors", type=float, default=0.004)
    ap.add_argument("--min-count", type=int, default=3)
    ap.add_argument("--depth", type=int, default=8)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    read = sequencer(genome(args.genome, seed=77), args.length, args.errors)
    mine = (read(i) for i in range(comm.rank, args.reads, comm.size))
    counts = count_distributed(comm, mine, args.k)

    distinct = comm.allreduce(len(counts))
    solid = comm.allreduce(sum(1 for n in counts.values() if n >= args.min_count))
    hist = comm.gather(spectrum(counts, args.depth), root=0)

    if comm.rank == 0:
        total = [sum(column) for column in zip(*hist)]
        print(f"{distinct} distinct {args.k}-mers, {solid} of them solid")
        print("spectrum", total)
        serial = Counter()
        for i in range(args.reads):
            serial.update(split_read(read(i), args.k))
        same = total == spectrum(serial, args.depth)
        print("agrees with the serial count" if same else
              f"serial count has {len(serial)} distinct {args.k}-mers")


if __name__ == "__main__":
    main()
