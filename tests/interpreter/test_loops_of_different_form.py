"""Ranks that communicate equally often, each in a loop of a different form, of which passes may be left out."""

from __future__ import annotations

import itertools
import textwrap

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.findings.diagnostics import Confidence, Diagnostic

LOOPS = {
    "for": "for step in range({n}):\n    {call}",
    "from 1": "for step in range(1, {n} + 1):\n    {call}",
    "while": "step = 0\nwhile step < {n}:\n    {call}\n    step += 1",
    "downwards": "left = {n}\nwhile left > 0:\n    {call}\n    left -= 1",
    "to zero": "left = {n}\nwhile left:\n    {call}\n    left = left - 1",
    "break": "step = 0\nwhile True:\n    if step == {n}:\n        break\n    {call}\n    step += 1",
    "length": "done = []\nwhile len(done) < {n}:\n    {call}\n    done.append(1)",
    "queue": "waiting = list(range({n}))\nwhile waiting:\n    waiting.pop()\n    {call}",
    "flag": "step, busy = 0, {n} > 0\nwhile busy:\n    {call}\n    step += 1\n    busy = step < {n}",
    "list": "for item in [0] * {n}:\n    {call}",
    "comprehension": "done = [{call} for _ in range({n})]",
    "generator": (
        "def steps():\n    number = 0\n    while number < {n}:\n        yield number\n        number += 1\n"
        "for step in steps():\n    {call}"
    ),
    "method": "count = Count({n})\nwhile count.has_more():\n    {call}",
    "of two": "for outer in range({n} // 2):\n    for inner in range(2):\n        {call}",
}
CALLS = {
    "message": ("comm.send(1, dest=1)", "comm.recv(source=0)"),
    "exchange": ("comm.sendrecv(1, dest=1, source=1)", "comm.sendrecv(1, dest=0, source=0)"),
    "bcast": ("comm.bcast(1, root=0)", "comm.bcast(None, root=0)"),
}
PROGRAM = """
from mpi4py import MPI

comm = MPI.COMM_WORLD
{setup}

class Count:
    def __init__(self, most):
        self.most, self.made = most, 0

    def has_more(self):
        self.made += 1
        return self.made <= self.most


if comm.rank == 0:
{first}
{condition}
{second}
"""
OPTION = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=100)
args = parser.parse_args()
"""


def program(first: str, second: str, call: str, number: str, more: str = "") -> str:
    """Rank 0 runs one loop, rank 1, or all others if they take part, the other one."""
    mine, others = CALLS[call]
    return PROGRAM.format(
        setup=OPTION if number == "args.steps" else "",
        first=textwrap.indent(LOOPS[first].format(n=number, call=mine), "    "),
        condition="else:" if call == "bcast" else "elif comm.rank == 1:",
        second=textwrap.indent(LOOPS[second].format(n=f"({number}{more})" if more else number, call=others), "    "),
    )


def shown(text: str) -> list[Diagnostic]:
    """The findings at the default."""
    return [found for found in testing.lint({"main.py": text}) if found.confidence is not Confidence.LOW]


PAIRS = [(a, b) for at, (a, b) in enumerate(itertools.permutations(LOOPS, 2)) if at % 19 == 0]


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("call", CALLS)
def test_as_many_passes_of_a_thousand(call: str, first: str, second: str) -> None:
    assert shown(program(first, second, call, "1000")) == []


@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if "of two" not in pair])
@pytest.mark.parametrize("call", ["message", "exchange"])
def test_as_many_passes_as_an_option_says(call: str, first: str, second: str) -> None:
    assert shown(program(first, second, call, "args.steps")) == []


@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if "of two" not in pair])
@pytest.mark.parametrize("call", CALLS)
def test_one_pass_more(call: str, first: str, second: str) -> None:
    assert shown(program(first, second, call, "6", " + 1"))
