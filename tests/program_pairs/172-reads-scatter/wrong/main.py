"""GC content and trimming statistics of short reads in FASTQ format."""
import io
import random
import sys
from collections import namedtuple

from mpi4py import MPI

Read = namedtuple("Read", "name bases quality")


def fake_fastq(n, seed=6):
    rnd = random.Random(seed)
    lines = []
    for i in range(n):
        length = rnd.randint(60, 100)
        bases = "".join(rnd.choices("ACGT", weights=(3, 2, 2, 3), k=length))
        drop = rnd.randint(length // 2, length)
        quality = "".join(chr(33 + (35 if k < drop else rnd.randint(2, 12))) for k in range(length))
        lines += [f"@read{i}", bases, "+", quality]
    return "\n".join(lines) + "\n"


def parse(handle):
    while True:
        name = handle.readline().strip()
        if not name:
            return
        bases = handle.readline().strip()
        handle.readline()
        yield Read(name[1:], bases, handle.readline().strip())


def chunks(items, parts):
    n = max(1, len(items) // parts)
    return [items[i:i + n] for i in range(0, len(items), n)]


def trim(read, threshold=20):
    end = len(read.bases)
    while end and ord(read.quality[end - 1]) - 33 < threshold:
        end -= 1
    return read._replace(bases=read.bases[:end], quality=read.quality[:end])


def statistics(reads):
    kept = [r for r in map(trim, reads) if len(r.bases) >= 50]
    gc = sum(r.bases.count("G") + r.bases.count("C") for r in kept)
    return {"reads": len(reads), "kept": len(kept), "gc": gc,
            "bases": sum(len(r.bases) for r in kept)}


def main():
    comm = MPI.COMM_WORLD
    work = None
    if comm.rank == 0:
        if len(sys.argv) > 1:
            with open(sys.argv[1]) as handle:
                reads = list(parse(handle))
        else:
            reads = list(parse(io.StringIO(fake_fastq(2501))))
        work = chunks(reads, comm.size)
    mine = comm.scatter(work, root=0)

    parts = comm.gather(statistics(mine), root=0)
    if comm.rank == 0:
        total = {key: sum(p[key] for p in parts) for key in parts[0]}
        print(f"{total['kept']} of {total['reads']} reads kept, "
              f"{total['bases']} bases, GC {total['gc'] / total['bases']:.4f}")


if __name__ == "__main__":
    main()
