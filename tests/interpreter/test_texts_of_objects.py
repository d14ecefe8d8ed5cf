"""Objects whose texts are asked for: their methods are run where they may communicate."""

from __future__ import annotations

import pytest

from interpreter.running import faults

PROGRAM = """
from mpi4py import MPI

class Field:
    def __init__(self, comm):
        self.comm = comm

    def total(self):
        return self.comm.allreduce(self.comm.rank)

    def __{method}__(self):
        return f"a field with {{self.total()}}"

comm = MPI.COMM_WORLD
field = Field(comm)
if comm.rank == 0:
    {use}
comm.Barrier()
"""


@pytest.mark.parametrize("method", ["str", "repr"])
@pytest.mark.parametrize("use", ["print(field)", "text = f'it is {field}'", "text = str(field)"])
def test_a_text_that_only_one_rank_asks_for(use: str, method: str) -> None:
    assert {kind for kind, _ in faults(PROGRAM.format(method=method, use=use))} == {"mismatch"}


def test_a_representation() -> None:
    assert faults(PROGRAM.format(method="repr", use="text = repr(field)"))
    assert not faults(PROGRAM.format(method="str", use="text = repr(field)"))


@pytest.mark.parametrize("call", ["logging.getLogger('x').info", "logging.info", "logging.getLogger().info"])
@pytest.mark.parametrize(("level", "is_made"), [("INFO", True), ("WARNING", False)])
def test_a_message_that_is_logged(level: str, is_made: bool, call: str) -> None:
    use = f"logging.basicConfig(level=logging.{level}); {call}('%s', field)"
    text = PROGRAM.format(method="str", use=use)
    assert bool(faults("import logging\n" + text)) is is_made


@pytest.mark.parametrize(
    ("use", "is_made"), [("f'{field!r}'", False), ("f'{field!s:>9}'", True), ("f'{field:>9}'", True)]
)
def test_a_conversion(use: str, is_made: bool) -> None:
    assert bool(faults(PROGRAM.format(method="str", use=f"text = {use}"))) is is_made


@pytest.mark.parametrize(("message", "is_made"), [("%s", True), ("%r", False), ("%5.1f of %s", True), ("none", False)])
def test_the_conversions_of_a_message(message: str, is_made: bool) -> None:
    values = ", field" if message.count("%") < 2 else ", 1.0, field"
    use = f"logging.basicConfig(level=logging.INFO); logging.info('{message}'{values})"
    assert bool(faults("import logging\n" + PROGRAM.format(method="str", use=use))) is is_made


def test_a_logger_without_handlers() -> None:
    use = "log = logging.getLogger('x'); log.setLevel(logging.INFO); log.{}('%s', field)"
    for call, is_made in (("info", False), ("warning", True)):
        text = PROGRAM.format(method="str", use=use.format(call))
        assert bool(faults("import logging\n" + text)) is is_made
