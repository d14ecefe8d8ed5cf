import tempfile
from contextlib import ExitStack

from mpi4py import MPI

from store import Flaky, joined, write_parts
from together import CollectiveFailure, raise_together, retried

comm = MPI.COMM_WORLD
PARTS, ROWS = 7, 9
tries = []


@retried(4, only={"read"})
def read_all(store, names):
    tries.append(len(names))
    tables = []
    with raise_together(comm, "read"):
        for name in names:
            tables.append(store[name])
    return joined(tables)


@raise_together(comm, "check")
def check(rows, limit):
    bad = [k for k, v in rows.items() if v > limit]
    if bad:
        raise ValueError(f"{len(bad)} rows above {limit}")


def main():
    with ExitStack() as stack:
        folder = None
        if comm.rank == 0:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            write_parts(folder, PARTS, ROWS)
        folder = comm.bcast(folder, root=0)
        stack.callback(comm.Barrier)

        store = Flaky(folder, {"part-01.json": 1, "part-03.json": 2})
        assert len(store) == PARTS
        names = list(store)[comm.rank::comm.size]
        rows = read_all(store, names)
        total = comm.allreduce(sum(rows.values()))
        assert total == sum((i + 1) * j for i in range(PARTS) for j in range(ROWS - i))
        attempts = comm.allreduce(len(tries), op=MPI.MAX)
        assert 3 <= attempts == len(tries) <= 4

        check(rows, limit=1000)
        try:
            check(rows, limit=15)
        except CollectiveFailure as exc:
            culprits = sorted(exc.reasons)
        else:
            culprits = []
        assert culprits == comm.bcast(culprits, root=0) and culprits

        store.faults["part-05.json"] = 99
        try:
            read_all(store, names)
            outcome = "read"
        except CollectiveFailure as exc:
            outcome = exc.label + " failed on " + ",".join(map(str, exc.reasons))
        assert outcome == f"read failed on {5 % comm.size}"
        assert len(tries) == attempts + 4
        if comm.rank == 0:
            print(total, attempts, culprits, outcome)


if __name__ == "__main__":
    main()
