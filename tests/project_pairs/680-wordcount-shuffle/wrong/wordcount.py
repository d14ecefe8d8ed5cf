"""Out-of-core word count: map, spill to a scratch folder, reduce.

    mpirun -n 3 python wordcount.py [--scratch DIR] [text files ...]

Every rank maps some of the inputs and writes one spill file per reducer;
afterwards each rank reads the spill files meant for it.  The scratch folder
has to be on a file system that all ranks see.
"""
import argparse
import json
import os
import re
import shutil
import tempfile
import zlib
from collections import Counter

from mpi4py import MPI

WORD = re.compile(r"[a-z']+")

SAMPLE = [
    "the quick brown fox jumps over the lazy dog and the dog sleeps on",
    "a rank that waits for a rank that waits is a rank that never ends",
    "to send or not to send that is the question of the blocking call",
    "the cat and the hat and the rat sat on the mat and that was that",
    "all the king's horses and all the king's men could not gather again",
]


def documents(files):
    if files:
        for name in files:
            yield open(name, encoding="utf-8", errors="replace").read()
    else:
        for i in range(40):
            yield "\n".join(SAMPLE[(i + j) % 5] for j in range(i % 7 + 1))


def reducer_of(word, size):
    return zlib.crc32(word.encode()) % size


def spill_name(scratch, src, dst):
    return os.path.join(scratch, f"spill-{src:04d}-{dst:04d}.json")


def map_phase(comm, files, scratch):
    rank, size = comm.Get_rank(), comm.Get_size()
    parts = [Counter() for _ in range(size)]
    for i, text in enumerate(documents(files)):
        if i % size != rank:
            continue
        for word in WORD.findall(text.lower()):
            parts[reducer_of(word, size)][word] += 1
    for dst, counts in enumerate(parts):
        if counts:
            with open(spill_name(scratch, rank, dst), "w") as f:
                json.dump(counts, f)


def reduce_phase(comm, scratch):
    rank, size = comm.Get_rank(), comm.Get_size()
    total = Counter()
    for src in range(size):
        path = spill_name(scratch, src, rank)
        if os.path.exists(path):
            with open(path) as f:
                total.update(json.load(f))
    return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("files", nargs="*")
    ap.add_argument("--scratch", default=None)
    ap.add_argument("--top", type=int, default=5)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()

    scratch = tempfile.mkdtemp(prefix="wc-", dir=args.scratch)

    map_phase(comm, args.files, scratch)
    comm.Barrier()
    total = reduce_phase(comm, scratch)
    comm.Barrier()
    shutil.rmtree(scratch)

    ranked = sorted(total.items(), key=lambda p: (-p[1], p[0]))
    top = comm.gather(ranked[:args.top], root=0)
    words = comm.reduce(sum(total.values()), op=MPI.SUM, root=0)
    if rank == 0:
        best = sorted((p for part in top for p in part), key=lambda p: (-p[1], p[0]))
        print(f"{words} words")
        for word, n in best[:args.top]:
            print(f"{n:6d} {word}")


if __name__ == "__main__":
    main()
