"""Options of the command line that are paths: folders in which ranks write, and which others list."""

from __future__ import annotations

from jaxmpi_lint import testing

PROGRAM = """
import argparse
from pathlib import Path

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


class Store:
    def __init__(self, root):
        self.root = root

    def save(self, number, values):
        np.save(self.root / f"part{{number:02d}}.npy", values)

    def __iter__(self):
        for path in sorted(self.root.glob("part*.npy")):
            yield np.load(path)


parser = argparse.ArgumentParser()
parser.add_argument("--store", type=Path, default=Path("parts"))
store = Store(parser.parse_args().store)
if comm.rank == 0:
    store.root.mkdir(parents=True)
comm.Barrier()
store.save(comm.rank, np.zeros(3))
{between}
if comm.rank == 0:
    print(sum(values.sum() for values in store))
"""


def test_a_listing_without_order_is_found() -> None:
    found = testing.lint({"main.py": PROGRAM.format(between="")})
    assert [(one.code, one.start.row) for one in found] == [("JM418", 19)]


def test_a_listing_after_a_barrier_is_not() -> None:
    assert not testing.lint({"main.py": PROGRAM.format(between="comm.Barrier()")})
