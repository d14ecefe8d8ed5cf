"""Methods that the body of one module runs before the constructor of their class in another was looked at."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing

FILES = """\
import h5py
from mpi4py import MPI


class Files:
    def __init__(self, path, keep):
        self._file = h5py.File(path, "w", driver="mpio", comm=MPI.COMM_WORLD)

    def save(self, step, state):
        self._file.create_dataset(step, data=state)
"""

MAIN = """\
from mpi4py import MPI
from files import Files


def main(state):
    files = Files("steps", keep=3)
    files.save(1, state)
    if MPI.COMM_WORLD.rank == 0:
        files.save(2, state)


"""


@pytest.mark.parametrize("end", ["", "main(3)\n", 'if __name__ == "__main__":\n    main(3)\n'])
@pytest.mark.parametrize("main", ["a_first", "main"])
def test_fields_are_known_whoever_calls_first(end: str, main: str) -> None:
    found = testing.lint({f"{main}.py": MAIN + end, "files.py": FILES})
    assert [(one.code, one.start.row) for one in found] == [("JM101", 9)]
