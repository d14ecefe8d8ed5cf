import os

import click
import numpy as np
from mpi4py import MPI

from events import DTYPE, Cut, read_run


class EventFile:
    """Header with the number of events, then the events of all ranks in rank order."""

    HEADER = 8

    def __init__(self, comm, path):
        self.comm = comm
        self.fh = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_WRONLY)
        self.fh.Set_size(0)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.fh.Close()
        return False

    def write(self, events):
        counts = self.comm.allgather(len(events))
        if self.comm.rank == 0:
            self.fh.Write_at(0, np.array([sum(counts)], dtype=np.int64))
        first = sum(counts[:self.comm.rank])
        if len(events):
            self.fh.Write_at_all(self.HEADER + first * DTYPE.itemsize, events.view(np.uint8))
        return sum(counts)


@click.command()
@click.option("--runs", default=8)
@click.option("--threshold", default=1.5)
@click.option("--out", default="selected.evt")
def main(runs, threshold, out):
    comm = MPI.COMM_WORLD
    cut = Cut(threshold, channels=tuple(range(0, 16, 2)))
    lo, hi = runs * comm.rank // comm.size, runs * (comm.rank + 1) // comm.size
    chunks = [cut.apply(read_run(r)) for r in range(lo, hi)]
    selected = np.concatenate(chunks) if chunks else np.zeros(0, dtype=DTYPE)

    with EventFile(comm, out) as f:
        total = f.write(selected)

    if comm.rank == 0:
        n = int(np.fromfile(out, dtype=np.int64, count=1)[0])
        ev = np.fromfile(out, dtype=DTYPE, offset=EventFile.HEADER)
        click.echo(f"{total} selected, header {n}, in file {len(ev)}, mean {ev['energy'].mean():.4f}")
        click.echo(f"size {os.path.getsize(out)}")


if __name__ == "__main__":
    main()
