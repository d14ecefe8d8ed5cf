"""Call variants per chromosome in parallel and merge the parts into one file."""
import os
import shutil
import sys
import tempfile

import numpy as np
from mpi4py import MPI

CHROMOSOMES = [f"chr{i}" for i in range(1, 13)]


def call_variants(chrom):
    rng = np.random.default_rng(sum(map(ord, chrom)))
    positions = np.unique(rng.integers(1, 10 ** 6, size=rng.integers(5, 30)))
    for pos in positions:
        ref, alt = rng.choice(list("ACGT"), size=2, replace=False)
        yield chrom, int(pos), str(ref), str(alt), int(rng.integers(10, 99))


def part_name(folder, rank):
    return os.path.join(folder, f"part-{rank:04d}.tsv")


def write_part(path, chroms):
    n = 0
    with open(path, "w") as out:
        for chrom in chroms:
            for record in call_variants(chrom):
                print(*record, sep="\t", file=out)
                n += 1
    return n


def merge(folder, size, target):
    records = []
    for r in range(size):
        with open(part_name(folder, r)) as part:
            records.extend(line.rstrip("\n").split("\t") for line in part)
    records.sort(key=lambda f: (int(f[0][3:]), int(f[1])))
    with open(target, "w") as out:
        out.writelines("\t".join(f) + "\n" for f in records)
    return len(records)


def main(target="merged.tsv"):
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size

    scratch = tempfile.mkdtemp(prefix="variants-") if rank == 0 else None
    scratch = comm.bcast(scratch, root=0)
    written = write_part(part_name(scratch, rank), CHROMOSOMES[rank::size])
    expected = comm.allreduce(written)

    merged = merge(scratch, size, target) if rank == 0 else None
    merged = comm.bcast(merged, root=0)
    if rank == 0:
        shutil.rmtree(scratch)
    if merged != expected:
        print(f"rank {rank}: {merged} records merged, {expected} expected", file=sys.stderr)
        return 1
    if rank == 0:
        print(f"{merged} records in {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
