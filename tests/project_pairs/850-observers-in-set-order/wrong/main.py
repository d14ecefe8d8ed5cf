from __future__ import annotations

import sys

import numpy as np
from mpi4py import MPI

import observers  # noqa: F401
from subject import Subject

CELLS = 120


def main() -> int:
    comm = MPI.COMM_WORLD
    whole = np.random.default_rng(5).normal(3.0, 2.0, CELLS)
    mine = np.array_split(whole, comm.size)[comm.rank]
    subject = Subject(comm)
    subject.attach("total", "count", "square", "largest", "smallest")
    for step in range(4):
        subject.notify(mine * (step + 1))
    last = {name: values[-1] for name, values in subject.results.items()}
    expected = {"total": 4 * whole.sum(), "count": float(CELLS),
                "square": 16 * float(whole @ whole),
                "largest": 4 * whole.max(), "smallest": 4 * whole.min()}
    good = all(np.isclose(last[name], expected[name]) for name in expected)
    if comm.rank == 0:
        print(" ".join(f"{name}={last[name]:.3f}" for name in sorted(last)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
