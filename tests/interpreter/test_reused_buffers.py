"""Work spaces of which parts are sent again before the first send is completed."""

from __future__ import annotations

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Severity

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


POOL = """
import argparse

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
left, right = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size


class Pool:
    def __init__(self):
        self._kept = {{}}

    def get(self, name, side, shape):
        key = {key}
        if key not in self._kept:
            self._kept[key] = np.empty(shape)
        return self._kept[key]


parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=8)
rows = parser.parse_args().rows
pool = Pool()
fields = {{"heat": np.ones((rows, 4)), "salt": np.ones((rows, 4))}}
requests, arrived = [], []
for tag, (name, field) in enumerate(fields.items()):
    face = pool.get(name, "right", field[:, -1].shape)
    face[:] = field[:, -1]
    requests.append(comm.Isend(face, dest=right, tag=tag))
    arrived.append(np.empty(face.shape))
    requests.append(comm.Irecv(arrived[-1], source=left, tag=tag))
MPI.Request.Waitall(requests)
print(sum(one.sum() for one in arrived))
"""


def test_a_pool_that_gives_one_buffer_twice_is_found() -> None:
    (found,) = testing.lint({"main.py": POOL.format(key="(side, shape)")})
    assert (found.code, found.severity) == ("JM302", Severity.ERROR)


def test_a_buffer_for_each_name_is_not() -> None:
    assert not testing.lint({"main.py": POOL.format(key="(name, side, shape)")})
