from functools import partial

import numpy as np
from mpi4py import MPI

from batches import SHAPES
from stages import (checked, locally_sorted, numbered, pipeline, redistributed,
                    with_splitters)


def main():
    comm = MPI.COMM_WORLD
    draw = partial(map, lambda shape: shape.draw(comm.rank, comm.size))
    stream = pipeline(draw(SHAPES), locally_sorted, with_splitters(comm),
                      redistributed(comm), numbered(comm), checked(comm))
    lines = []
    for shape, (first, batch) in zip(SHAPES, stream, strict=True):
        expected = np.sort(np.concatenate([shape.draw(r, comm.size) for r in range(comm.size)]))
        assert np.array_equal(batch, expected[first:first + len(batch)])
        total, largest = comm.allreduce(len(batch)), comm.allreduce(len(batch), op=MPI.MAX)
        assert total == len(expected)
        padded = np.full((comm.size, largest), np.inf)
        comm.Allgather(np.pad(batch, (0, largest - len(batch)), constant_values=np.inf), padded)
        flat = padded[np.isfinite(padded)]
        assert np.array_equal(flat, expected)
        lines.append(f"{shape.name}: {total} values, median "
                     f"{np.median(flat) if total else float('nan'):.6f}")
    if comm.rank == 0:
        print(*lines, sep="\n")


if __name__ == "__main__":
    main()
