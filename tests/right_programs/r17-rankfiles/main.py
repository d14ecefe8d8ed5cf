"""Each rank writes its own CSV, rank 0 merges them; rank 0 also creates the
output directory and removes the parts when the merge is complete."""
import csv
import functools
import os
import shutil
import sys
import tempfile
from pathlib import Path

from mpi4py import MPI

comm = MPI.COMM_WORLD


def abort_on_error(kind, value, tb):
    """A rank that dies with a traceback takes the job along."""
    sys.__excepthook__(kind, value, tb)
    sys.stderr.flush()
    comm.Abort(1)


sys.excepthook = abort_on_error


def root_only(func):
    """Run on rank 0, give the result (or the exception) to all ranks."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        outcome = None
        if comm.rank == 0:
            try:
                outcome = (True, func(*args, **kwargs))
            except Exception as exc:
                outcome = (False, exc)
        ok, value = comm.bcast(outcome, root=0)
        if not ok:
            raise value
        return value
    return wrapper


def before_and_after(func):
    """All ranks enter together and leave together."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        comm.Barrier()
        try:
            return func(*args, **kwargs)
        finally:
            comm.Barrier()
    return wrapper


@root_only
def prepare(name):
    base = Path(tempfile.mkdtemp(prefix="merge-"))
    (base / name).mkdir()
    return base / name


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


@before_and_after
def write_part(directory, limit):
    path = directory / f"part-{comm.rank:04d}.csv"
    rows = 0
    with open(path, "w", newline="") as fh:
        out = csv.writer(fh)
        for n in range(1 + comm.rank, limit + 1, comm.size):
            div = divisors(n)
            out.writerow([n, len(div), sum(div)])
            rows += 1
    return rows


@root_only
def merge(directory, expected_rows):
    parts = sorted(directory.glob("part-*.csv"))
    if len(parts) != comm.size:
        raise RuntimeError(f"{len(parts)} parts from {comm.size} ranks")
    records = []
    for part in parts:
        with open(part, newline="") as fh:
            records.extend(tuple(map(int, row)) for row in csv.reader(fh))
    if len(records) != expected_rows:
        raise RuntimeError("incomplete part")
    records.sort()
    tmp = directory / "merged.csv.tmp"
    with open(tmp, "w", newline="") as fh:
        csv.writer(fh).writerows(records)
        fh.flush()
        os.fsync(fh.fileno())
    tmp.rename(directory / "merged.csv")
    for part in parts:
        part.unlink()
    return directory / "merged.csv"


def main(limit=240):
    directory = prepare("run")
    rows = write_part(directory, limit)
    merged = merge(directory, comm.allreduce(rows))

    # all ranks read the finished file
    with open(merged, newline="") as fh:
        table = [tuple(map(int, row)) for row in csv.reader(fh)]
    assert [r[0] for r in table] == list(range(1, limit + 1))
    assert all(r[1:] == (len(divisors(r[0])), sum(divisors(r[0]))) for r in table)

    perfect = [n for n, _, s in table if s == 2 * n]
    assert perfect == [6, 28]

    # a failure on the root is seen by everyone (the parts are gone)
    try:
        merge(directory, limit)
    except RuntimeError as exc:
        message = str(exc)
    else:
        raise AssertionError("merge without parts must fail")
    assert comm.allgather(message) == [f"0 parts from {comm.size} ranks"] * comm.size

    if comm.rank == 0:      # the allgather above was after everyone's reading
        shutil.rmtree(directory.parent)
        print(f"{len(table)} rows merged, perfect numbers {perfect}")


if __name__ == "__main__":
    main()
