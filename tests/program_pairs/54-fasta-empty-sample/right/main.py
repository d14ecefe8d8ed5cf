import os
import random

import click
from mpi4py import MPI

from fasta import gc, good_records


def make_samples(folder, count):
    rnd = random.Random(3)
    os.makedirs(folder, exist_ok=True)
    for s in range(count):
        with open(os.path.join(folder, f"sample{s}.fa"), "w") as fh:
            fh.write(f"; sample {s}\n")
            length = 20 if s == 2 else 180
            for r in range(12):
                fh.write(f">read{r}\n")
                fh.write("".join(rnd.choice("ACGT") for _ in range(length)) + "\n")


def analyse(comm, path, min_len):
    """GC content of one sample, or None when nothing passes the length filter."""
    records = None
    if comm.rank == 0:
        records = good_records(path, min_len)
    records = comm.bcast(records, root=0)
    if not records:
        if comm.rank == 0:
            click.echo(f"{path}: no record of {min_len} bases or more, skipped")
        return None
    mine = records[comm.rank::comm.size]
    values = comm.gather([gc(seq) for _, seq in mine], root=0)
    if comm.rank != 0:
        return None
    flat = [v for part in values for v in part]
    return sum(flat) / len(flat)


@click.command()
@click.option("--samples", default=5)
@click.option("--min-len", default=100)
@click.option("--folder", default="reads")
def cli(samples, min_len, folder):
    comm = MPI.COMM_WORLD
    if comm.rank == 0:
        make_samples(folder, samples)
    comm.Barrier()

    table = {}
    for s in range(samples):
        path = os.path.join(folder, f"sample{s}.fa")
        mean = analyse(comm, path, min_len)
        if mean is not None:
            table[path] = mean

    if comm.rank == 0:
        for path, mean in table.items():
            click.echo(f"{path}\t{mean:.4f}")
    total = comm.bcast(len(table), root=0)
    assert total <= samples


if __name__ == "__main__":
    cli()
