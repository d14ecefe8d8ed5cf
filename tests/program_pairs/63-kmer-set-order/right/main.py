import sys

from mpi4py import MPI

from kmers import count_kmers, reads

MOTIFS = {"TATA", "CGCG", "GATC", "AATT", "CCGG", "TTTT", "ACGT", "GGCC"}


def merge(comm, local, motifs):
    merged = {}
    for motif in sorted(motifs):
        merged[motif] = comm.allreduce(local[motif], op=MPI.SUM)
    return merged


def main():
    comm = MPI.COMM_WORLD
    lanes = 12
    mine = [lane for lane in range(lanes) if lane % comm.size == comm.rank]

    local = None
    for lane in mine:
        found = count_kmers(reads(lane), 4, MOTIFS)
        local = found if local is None else local + found
    merged = merge(comm, local, MOTIFS)

    if comm.rank == 0:
        check = count_kmers((s for lane in range(lanes) for s in reads(lane)), 4, MOTIFS)
        for motif in MOTIFS:
            flag = "" if check[motif] == merged[motif] else "   <-- serial count %d" % check[motif]
            print(f"{motif} {merged[motif]:6d}{flag}")
        return 0 if dict(check) == merged else 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
