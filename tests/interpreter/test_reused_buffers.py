"""Work spaces of which parts are sent again before the first send is completed."""

from __future__ import annotations

from jaxmpi_lint import testing

PROGRAM = """
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


class Packer:
    def __init__(self, capacity):
        self._space = np.empty(capacity)

    def pack(self, values, select):
        index = np.flatnonzero(select)
        if index.size > self._space.size:
            self._space = np.empty(2 * index.size)
        block = self._space[: index.size]
        np.take(values, index, out=block)
        return {returned}


packer = Packer(100)
values = np.load(f"values{{rank}}.npy")
pending = []
for shift in range(1, size):
    dest = (rank + shift) % size
    block = packer.pack(values, values == dest)
    pending.append((comm.Isend(block, dest=dest), block))
for shift in range(1, size):
    source, status = (rank - shift) % size, MPI.Status()
    comm.Probe(source=source, status=status)
    comm.Recv(np.empty(status.Get_count(MPI.DOUBLE)), source=source)
MPI.Request.Waitall([request for request, _ in pending])
"""


def test_a_work_space_that_is_packed_again_is_found() -> None:
    assert {one.code for one in testing.lint({"main.py": PROGRAM.format(returned="block")})} == {"JM302"}


def test_copies_are_not() -> None:
    assert not testing.lint({"main.py": PROGRAM.format(returned="block.copy()")})
