"""Letter frequencies of a text (exercise 4)."""
import string

import numpy as np
from mpi4py import MPI

from letters import count_letters, split_lines

TEXT = """It was the best of times, it was the worst of times,
it was the age of wisdom, it was the age of foolishness,
it was the epoch of belief, it was the epoch of incredulity,
it was the season of Light, it was the season of Darkness,
it was the spring of hope, it was the winter of despair,
we had everything before us, we had nothing before us,
we were all going direct to Heaven, we were all going direct
the other way - in short, the period was so far like the present
period, that some of its noisiest authorities insisted on its
being received, for good or for evil, in the superlative degree
of comparison only."""


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    size = comm.Get_size()

    if rank == 0:
        chunks = split_lines(TEXT.splitlines(), size)
    else:
        chunks = None
    lines = comm.scatter(chunks, root=0)

    counts = count_letters(lines)
    totals = comm.reduce(np.array(counts), op=MPI.SUM, root=0)

    if rank == 0:
        n = sum(totals)
        print("letters in all:", n)
        table = sorted(zip(totals, string.ascii_lowercase), reverse=True)
        for count, letter in table[:8]:
            print(f"  {letter}  {count:4d}  {100 * count / n:5.2f} %")


if __name__ == "__main__":
    main()
