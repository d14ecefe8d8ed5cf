"""Functions that are called from very many places with arguments that differ between the ranks."""

from __future__ import annotations

from jaxmpi_lint import testing

CALLS = 300


def helper(name: str) -> str:
    return f"def {name}(wanted, comm, what):\n    if wanted:\n        comm.Barrier()\n    return what\n"


def program(name: str, calls: list[str]) -> str:
    lines = ["from mpi4py import MPI", f"from helpers import {name}", "comm = MPI.COMM_WORLD", *calls]
    return "\n".join(lines) + "\n"


def test_a_call_is_looked_at_however_many_there_are_of_another_function() -> None:
    texts = {
        "helpers.py": helper("busy") + helper("rare"),
        "a.py": program("busy", [f"busy(comm.rank > {number}, comm, 'text {number}')" for number in range(CALLS)]),
        "b.py": program("rare", ["rare(comm.rank == 0, comm, 1)"]),
    }
    found = testing.lint(texts)
    assert [(one.code, one.start.row) for one in found] == [("JM101", 3), ("JM101", 7)]
