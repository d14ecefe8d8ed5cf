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
