"""Programs for more ranks than are run by default: the number that a program names, or needs, is run as well."""

from __future__ import annotations

import textwrap

import pytest

from interpreter.running import explored
from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence

HEAD = "import sys\nfrom mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"


def program(text: str) -> str:
    return HEAD + textwrap.dedent(text)


def found(text: str) -> list[str]:
    """The codes of the findings at the default."""
    return [one.code for one in testing.lint({"main.py": program(text)}) if one.confidence is not Confidence.LOW]


@pytest.mark.parametrize(
    ("text", "larger"),
    [
        ("if rank == 5:\n    comm.send(1, dest=0)\n", 6),
        ("if rank == 0:\n    comm.send(1, dest=6)\n", 7),
        ("comm.bcast(1, root=4)\n", 5),
        ("comm.scatter([1, 2, 3, 4, 5, 6] if rank == 0 else None, root=0)\n", 6),
        ("if size != 9:\n    sys.exit()\n", 9),
        ("if size < 8:\n    sys.exit()\n", 8),
        ("if size <= 8:\n    sys.exit()\n", 9),
        ("node = comm.Split(rank // 4)\n", 8),
        ("match rank:\n    case 5:\n        comm.send(1, dest=0)\n", 6),
        ("import math\nside = int(math.sqrt(size - 1))\n", 5),
        ("import numpy as np\nside = int(np.sqrt(size + 2))\n", 7),
        ("side = round((size - 1) ** (1 / 3))\n", 9),
        ("import math\nerror = comm.allreduce(1.0) / math.sqrt(7 * size)\n", 0),
        ("share = comm.allreduce((rank + 0.5) ** 0.5)\n", 0),
        ("if rank == 2:\n    print(rank)\n", 0),
        ("if rank == 500:\n    print(rank)\n", 0),
        ("print(len([1] * 7) == 7)\n", 0),
    ],
)
def test_the_number_that_is_run(text: str, larger: int) -> None:
    (one,) = explored(program(text))
    assert one.larger == larger


CYCLE = """
if rank == 1:
    print(comm.recv(source=5))
    comm.send("a", dest=5)
if rank == 5:
    print(comm.recv(source=1))
    comm.send("b", dest=1)
"""


def test_ranks_beyond_the_default_wait_for_each_other() -> None:
    assert found(CYCLE) == ["JM311"]
    receive, send = "    print(comm.recv(source=5))\n", '    comm.send("a", dest=5)\n'
    assert found(CYCLE.replace(receive + send, send + receive)) == []


GRID = """
if size != 9:
    print("run with 9 ranks")
    sys.exit(1)
row = comm.Split(rank // 3, rank)
below = rank + 3
if below < {limit}:
    comm.send(rank, dest=below)
if rank >= 3:
    print(comm.recv(source=rank - 3))
"""


def test_a_program_that_ends_itself_with_fewer_ranks_is_run_with_its_own_number() -> None:
    assert found(GRID.format(limit="size")) == []
    assert found(GRID.format(limit="size - 3")) == ["JM312"]


GROUPS = """
node = comm.Split(rank // 4, rank)
leaders = comm.Split(0 if node.rank == 0 else MPI.UNDEFINED, rank)
if {test}:
    print(leaders.allreduce(rank))
"""


def test_a_second_group_of_ranks() -> None:
    assert found(GROUPS.format(test="node.rank == 0")) == []
    assert found(GROUPS.format(test="node.rank == 0 and rank < 4")) != []


def test_fewer_ranks_do_not_count_where_a_program_names_more() -> None:
    text = """
    if rank == 0:
        for worker in (1, 2, 3, 4, 5):
            comm.send(worker, dest=worker)
    elif rank <= 5:
        print(comm.recv(source=0))
    """
    assert found(text) == []


def test_cases_of_a_match_are_compared_with_the_rank() -> None:
    text = """
    match rank:
        case 0:
            comm.send(1, dest=1, tag={tag})
        case 1:
            print(comm.recv(source=0, tag=5))
    """
    assert found(text.format(tag=5)) == []
    assert found(text.format(tag=4)) == ["JM314"]


def test_a_pattern_of_several_values_is_not_decided() -> None:
    text = """
    match (rank, size):
        case (0, _):
            comm.send(1, dest=1)
        case (1, _):
            print(comm.recv(source=0))
    """
    assert found(text) == []


SQUARE = """
import math
side = {root}
row, column = divmod(rank, side)
left, right = row * side + (column - 1) % side, row * side + (column + 1) % side
if column % 2 == {first}:
    comm.send(rank, dest=right)
    print(comm.recv(source=left))
else:
    print(comm.recv(source=left))
    comm.send(rank, dest=right)
"""


@pytest.mark.parametrize("root", ["int(math.sqrt(size))", "math.isqrt(size)", "int(size ** 0.5)"])
def test_a_square_of_ranks(root: str) -> None:
    """Where the number of ranks is no square, its sides are too short, and ranks are their own neighbours."""
    assert found(SQUARE.format(root=root, first=0)) == []
    assert found(SQUARE.format(root=root, first=2)) != []
    assert found(SQUARE.format(root="size // 2", first=0)) != []
