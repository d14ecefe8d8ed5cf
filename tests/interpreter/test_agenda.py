"""The order in which the worlds of an entry are run."""

from __future__ import annotations

import textwrap

from interpreter.running import explored
from jaxmpi_lint.interpreter.verdicts import Kind


def test_a_test_after_a_loop_of_tests_has_both_outcomes() -> None:
    """The outcomes of a test in the passes of a loop do not use up all worlds."""
    text = """
    import random
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    random.seed(4)
    wins = 0
    for _ in range(40):
        if random.random() > 0.5:
            wins += 1
        elif random.random() > 0.2:
            wins -= 1
    settings = open("settings").readline()
    if settings != "quick":
        if comm.rank == 0:
            comm.Barrier()
    print(comm.reduce(wins))
    """
    [result] = explored(textwrap.dedent(text))
    assert {one.fault.kind for one in result.found} >= {Kind.MISMATCH}
    assert {one.fault.place.row for one in result.found} == {16}


def test_a_call_in_an_endless_loop_is_no_test_of_it() -> None:
    """The block of the last test may be one of a function that has returned."""
    branches = "".join(f"    if number == {n}:\n        return '{n}'\n" for n in range(6))
    text = (
        "from mpi4py import MPI\nimport work\ncomm = MPI.COMM_WORLD\n"
        f"def label(number):\n{branches}    return 'many'\n"
        "def loop():\n    while True:\n        value = comm.allreduce(work.value())\n"
        "        print(label(9))\n        comm.bcast(not value)\nloop()\n"
    )
    [result] = explored(text)
    assert result.failure is None
