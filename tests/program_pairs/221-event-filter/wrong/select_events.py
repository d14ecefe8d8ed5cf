import argparse

import numpy as np
from mpi4py import MPI


def toy_events(rank, n):
    """pt, eta, phi of toy muons."""
    rng = np.random.default_rng(500 + rank)
    events = np.empty((n, 3))
    events[:, 0] = rng.exponential(18.0, n)
    events[:, 1] = rng.uniform(-3.0, 3.0, n)
    events[:, 2] = rng.uniform(-np.pi, np.pi, n)
    return events


def select(events, min_pt, max_eta):
    keep = (events[:, 0] > min_pt) & (np.abs(events[:, 1]) < max_eta)
    return np.ascontiguousarray(events[keep])


def gather_rows(comm, rows, root=0):
    """Gather tables with different numbers of rows."""
    ncol = rows.shape[1]
    nrows = np.array([len(rows)])
    counts = None
    if comm.rank == root:
        counts = np.empty(comm.size, dtype=np.int32)
    comm.Gather(nrows, counts, root=root)

    if comm.rank == root:
        table = np.empty((int(counts.sum()), ncol))
        sizes = [int(c) * ncol for c in counts]
        comm.Gatherv(rows, [table, sizes], root=root)
        return table
    comm.Gatherv(rows, None, root=root)
    return None


def main():
    parser = argparse.ArgumentParser(description="select muons and collect them")
    parser.add_argument("--events", type=int, default=4000)
    parser.add_argument("--min-pt", type=float, default=25.0)
    parser.add_argument("--max-eta", type=float, default=2.4)
    args = parser.parse_args()

    comm = MPI.COMM_WORLD
    chosen = select(toy_events(comm.rank, args.events), args.min_pt, args.max_eta)
    table = gather_rows(comm, chosen)
    expected = comm.reduce(len(chosen), op=MPI.SUM, root=0)

    if comm.rank == 0:
        table = table[np.argsort(-table[:, 0])]
        np.savetxt("muons.csv", table, delimiter=",", header="pt,eta,phi", fmt="%.4f")
        print(f"{len(table)} muons selected ({expected} expected), hardest pt {table[0, 0]:.2f}")


if __name__ == "__main__":
    main()
