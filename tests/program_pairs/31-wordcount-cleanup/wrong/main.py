# word count over text pieces in a shared work directory
import collections
import pathlib
import random
import shutil
import sys

from mpi4py import MPI

WORK = pathlib.Path("pieces")
PIECES = 24
WORDS = ("node rank queue mesh field solver kernel matrix vector graph "
         "stencil buffer window cache thread").split()


def write_pieces(seed=6):
    rng = random.Random(seed)
    if WORK.exists():
        shutil.rmtree(WORK)
    WORK.mkdir()
    for i in range(PIECES):
        # the later pieces are much longer
        text = " ".join(rng.choices(WORDS, k=2000 + 4000 * i))
        (WORK / f"piece{i:03d}.txt").write_text(text)


def count(path):
    c = collections.Counter()
    with path.open() as fh:
        for line in fh:
            c.update(w.strip(".,;").lower() for w in line.split())
    return c


def my_pieces(rank, size):
    lo = PIECES * rank // size
    hi = PIECES * (rank + 1) // size
    return [WORK / f"piece{i:03d}.txt" for i in range(lo, hi)]


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    if rank == 0:
        write_pieces()
    comm.Barrier()

    local = collections.Counter()
    for path in my_pieces(rank, size):
        local += count(path)

    if rank == 0:
        shutil.rmtree(WORK)

    total = comm.reduce(local, op=MPI.SUM, root=0)
    if rank == 0:
        print(sum(total.values()), "words")
        for word, n in sorted(total.items(), key=lambda kv: (-kv[1], kv[0]))[:5]:
            print(f"  {word:8s} {n}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
