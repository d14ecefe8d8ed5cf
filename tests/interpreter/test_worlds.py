"""Small worlds as a whole: what counts as a fault, and what never does."""

from __future__ import annotations

import textwrap

import pytest

from interpreter.running import explored, faults
from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic, Severity

HEAD = "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"


def program(text: str) -> str:
    """A script that uses the world."""
    return HEAD + textwrap.dedent(text)


def shown(texts: dict[str, str]) -> list[Diagnostic]:
    """The findings at the default."""
    return [d for d in testing.lint(texts) if d.confidence is not Confidence.LOW and d.severity is not Severity.INFO]


# --- numbers of ranks ---

TWO_RANKS = """
if rank == 0:
    comm.send("ping", dest=1)
    print(comm.recv(source=1))
else:
    print(comm.recv(source=0))
    comm.send("pong", dest=0)
"""


def test_a_program_for_two_ranks_is_right() -> None:
    assert shown({"main.py": program(TWO_RANKS)}) == []


def test_a_ring_that_fails_with_more_ranks_is_wrong() -> None:
    text = program(
        """
        if rank == 0:
            for other in range(1, size):
                comm.send(other, dest=other)
        elif rank < 2:
            print(comm.recv(source=0))
        """
    )
    assert [d.code for d in shown({"main.py": text})] == ["JM313"]


def test_every_rank_receives_first() -> None:
    text = program(
        """
        left, right = (rank - 1) % size, (rank + 1) % size
        got = comm.recv(source=left)
        comm.send(rank, dest=right)
        """
    )
    assert [(d.code, d.start.row) for d in shown({"main.py": text})] == [("JM311", 6)]


# --- what is not known ---


def test_a_guessed_length_feeds_no_check() -> None:
    text = program("parts = load()\nmine = comm.scatter(parts if rank == 0 else None, root=0)\nprint(mine)\n")
    assert faults("from things import load\n" + text, 1) == set()
    listed = program("parts = [line for line in open('names.txt')]\nprint(comm.scatter(parts, root=0))\n")
    assert faults(listed, 1) == set()


def test_a_failure_that_the_interpreter_provokes_ends_the_world() -> None:
    (one,) = explored(program("value = 3 + [4]\nif rank == 0:\n    comm.Barrier()\n"))
    assert one.found == []
    assert {cut.cut for cut in one.cuts} == {"an operation that fails here: TypeError"}


def test_an_uncaught_failure_of_one_rank_counts() -> None:
    text = program("table = {0: 1}\nvalue = table[rank]\ncomm.Barrier()\n")
    assert [(d.code, d.start.row) for d in shown({"main.py": text})] == [("JM103", 5)]


def test_equal_values_are_decided_alike() -> None:
    text = program(
        """
        import sys
        flag = len(sys.argv) > 1
        if flag:
            comm.Barrier()
        if not flag:
            comm.Barrier()
        for name in sys.argv:
            comm.bcast(name)
        """
    )
    assert faults(text, 1) == set()


def test_contradicting_tests_of_one_value_are_never_taken_together() -> None:
    text = program(
        """
        import sys
        count = len(sys.argv)
        if count > 5 and count < 2:
            if rank == 0:
                comm.Barrier()
        """
    )
    assert faults(text, 1) == set()


def test_a_value_is_in_a_list_that_holds_what_it_equals() -> None:
    text = program(
        """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("word")
        word = parser.parse_args().word
        seen = False
        if word in ["run", "stop"]:
            seen = True
        if word == "stop" and not seen:
            if rank == 0:
                comm.Barrier()
        if word not in ("run", "stop") and word == "run":
            if rank == 0:
                comm.Barrier()
        """
    )
    assert faults(text, 1) == set()


def test_an_unknown_call_that_is_handed_the_communicator_may_be_the_matching_one() -> None:
    text = "from things import collect\n" + program("if rank == 0:\n    comm.Barrier()\nelse:\n    collect(comm)\n")
    (one,) = explored(text)
    assert one.found == []


def test_long_loops_are_left_out_in_the_middle() -> None:
    text = program(
        """
        total = 0
        for step in range(1000):
            total = total + (step % 17 == rank)
        if total < 3:
            comm.Barrier()
        comm.Barrier()
        """
    )
    assert faults(text, 3) == set()
    assert [
        d.code for d in shown({"main.py": program("for k in range(1000):\n    if rank:\n        comm.Barrier()\n")})
    ]


# --- where a program begins ---


def test_functions_that_nobody_calls_are_not_entered() -> None:
    assert explored("def serve(comm):\n    return comm.recv(source=0)\n") == []


def test_files_that_do_not_communicate_are_read_for_a_program() -> None:
    files = {
        "main.py": program("from checks import positive\npositive([1, 0][rank % 2])\ncomm.Barrier()\n"),
        "checks.py": "def positive(value):\n    if value <= 0:\n        raise ValueError(value)\n",
    }
    assert [(d.code, d.filename, d.start.row) for d in shown(files)] == [("JM103", "checks.py", 3)]


# --- what is reported ---


def test_a_defect_is_reported_once_with_the_ranks_side_by_side() -> None:
    text = program(
        """
        class Work:
            def __iter__(self):
                yield from range(rank + 1)

        for item in Work():
            comm.bcast(item)
        """
    )
    (found,) = shown({"main.py": text})
    assert (found.code, found.start.row) == ("JM108", 10)
    assert found.table[0] == ("rank 0", "rank 1")
    assert found.table[-1] == ("ends", "bcast, line 10 (waits)")


@pytest.mark.parametrize(
    ("test", "tier"),
    [
        ("time.time() % 2 > 1", ("JM112", "warning", "medium")),
        ("random.random() > 0.5", ("JM804", "warning", "medium")),
        ("os.cpu_count() > 8", ("JM113", "warning", "low")),
    ],
)
def test_the_kind_of_value_decides_code_and_tier(test: str, tier: tuple[str, str, str]) -> None:
    text = "import os, random, time\n" + program(f"def check():\n    return {test}\nif check():\n    comm.Barrier()\n")
    found = [d for d in testing.lint({"main.py": text}) if d.start.row == 8]
    assert [(d.code, d.severity.value, d.confidence.value) for d in found] == [tier]


def test_a_declaration_of_uniformity_is_believed() -> None:
    text = program("who = rank  # jaxmpi-lint: uniform\nif who == 0:\n    comm.Barrier()\n")
    assert faults(text, 1) == set()


def test_what_is_broadcast_is_equal_everywhere() -> None:
    text = "import numpy as np\n" + program(
        """
        count = len(open("names.txt").read())
        for length in (count, 3, 5000):
            data = np.random.rand(length) if rank == 0 else np.empty(length)
            comm.Bcast(data, root=0)
            total = np.zeros(length)
            comm.Allreduce(data * rank, total)
            if data[0] > 0.5 or total.max() > 3:
                comm.Barrier()
        """
    )
    assert faults(text, 1) == set()


@pytest.mark.parametrize("use", ["len(data)", "x = data[0]", "list(data)", "x = data + [1]", "data.append(1)"])
def test_operations_on_none_of_some_ranks_fail(use: str) -> None:
    made = "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\ndata = [1, 2] if comm.rank == 0 else None\n"
    text = f"{made}{use}\ncomm.Barrier()\n"
    assert {kind for kind, _ in faults(text, 3)} == {"parted"}


def test_operations_on_none_of_all_ranks_are_no_divergence() -> None:
    assert faults("from mpi4py import MPI\ndata = None\nprint(len(data))\nMPI.COMM_WORLD.Barrier()\n", 1) == set()
