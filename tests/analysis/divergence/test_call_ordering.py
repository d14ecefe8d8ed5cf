"""Mistakes in the order of collectives: every kind of mistake at every kind of place is found, its right twin silent.

The kinds are those of the error taxonomy of the MPI Bugs Initiative (Laguna et al., Correctness 2021, "call ordering"
and "parameter matching" of collectives); the programs are generated here.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.command import report_builder
from jaxmpi_lint.settings.settings import Settings

CALLS = {
    "Barrier": "{comm}.Barrier()",
    "bcast": "value = {comm}.bcast(value, root=0)",
    "Bcast": "{comm}.Bcast(array, root=0)",
    "reduce": "value = {comm}.reduce(1, op=MPI.SUM, root=0)",
    "Reduce": "{comm}.Reduce(array, other, op=MPI.SUM, root=0)",
    "gather": "value = {comm}.gather(1, root=0)",
    "scatter": "value = {comm}.scatter([1] * {comm}.size, root=0)",
    "allreduce": "value = {comm}.allreduce(1, op=MPI.SUM)",
    "Allreduce": "{comm}.Allreduce(array, other, op=MPI.SUM)",
    "allgather": "value = {comm}.allgather(1)",
    "alltoall": "value = {comm}.alltoall([1] * {comm}.size)",
    "scan": "value = {comm}.scan(1)",
    "exscan": "value = {comm}.exscan(1)",
    "Reduce_scatter": "{comm}.Reduce_scatter(array, other)",
    "Ibarrier": "{comm}.Ibarrier().Wait()",
    "Iallreduce": "{comm}.Iallreduce(array, other).Wait()",
    "Dup": "new = {comm}.Dup()",
    "Split": "new = {comm}.Split(0)",
}
ROOTED = ("bcast", "Bcast", "reduce", "Reduce", "gather", "scatter")
REDUCING = ("reduce", "Reduce", "allreduce", "Allreduce")

Arms = tuple[Sequence[str], Sequence[str]]


def mistakes() -> dict[str, Arms]:
    """What one rank calls, and what the others call."""
    names = list(CALLS)
    pairs = list(zip(names, names[1:] + names[:1], strict=True))
    found: dict[str, Arms] = {}
    for one, other in pairs:
        found[f"kind: {one} / {other}"] = [CALLS[one]], [CALLS[other]]
        found[f"order: {one}, {other}"] = [CALLS[one], CALLS[other]], [CALLS[other], CALLS[one]]
        found[f"missing: {one}"] = [CALLS[one]], []
        found[f"too many: {other}"] = [CALLS[one]], [CALLS[one], CALLS[other]]
        found[f"communicator: {one}"] = [CALLS[one]], [CALLS[one].replace("{comm}", "twin")]
    for name in ROOTED:
        found[f"root: {name}"] = [CALLS[name]], [CALLS[name].replace("root=0", "root=1")]
    for name in REDUCING:
        found[f"operator: {name}"] = [CALLS[name]], [CALLS[name].replace("MPI.SUM", "MPI.MAX")]
    return found


def rights() -> dict[str, Arms]:
    """Arms that are alike."""
    names = list(CALLS)
    found: dict[str, Arms] = {}
    for one, other in zip(names, names[1:] + names[:1], strict=True):
        found[one] = [CALLS[one]], [CALLS[one]]
        found[f"{one}, {other}"] = [CALLS[one], CALLS[other]], [CALLS[one], CALLS[other]]
    return found


HEAD = """\
import numpy as np
from mpi4py import MPI

array, other = np.zeros(4), np.zeros(4)
"""


def arm(calls: Sequence[str], depth: int, comm: str = "comm") -> str:
    lines = [call.format(comm=comm) for call in calls] or ["pass"]
    return textwrap.indent("\n".join(lines), "    " * depth)


def in_script(arms: Arms) -> str:
    return f"""
comm = MPI.COMM_WORLD
twin = comm.Dup()
value = 1
if comm.Get_rank() == 0:
{arm(arms[0], 1)}
else:
{arm(arms[1], 1)}
"""


def in_function(arms: Arms) -> str:
    return f"""
def run(comm, value):
    twin = comm.Dup()
    if comm.rank % 2:
{arm(arms[0], 2)}
    else:
{arm(arms[1], 2)}
"""


def around_return(arms: Arms) -> str:
    return f"""
def run(comm, value):
    twin = comm.Dup()
    if comm.rank == 0:
{arm(arms[0], 2)}
        return value
{arm(arms[1], 1)}
"""


def in_loop(arms: Arms) -> str:
    return f"""
def run(comm, value, steps):
    twin = comm.Dup()
    for step in range(steps):
        if comm.rank > 0:
{arm(arms[0], 3)}
        else:
{arm(arms[1], 3)}
"""


def in_while(arms: Arms) -> str:
    return f"""
comm = MPI.COMM_WORLD
twin = comm.Dup()
rank = comm.Get_rank()
value, step = 1, 0
while step < 10:
    step += 1
    if rank == 0:
{arm(arms[0], 2)}
    else:
{arm(arms[1], 2)}
"""


def in_called_functions(arms: Arms) -> str:
    return f"""
def first(comm, twin, value):
{arm(arms[0], 1)}

def second(comm, twin, value):
{arm(arms[1], 1)}

def run(value):
    comm = MPI.COMM_WORLD
    twin = comm.Dup()
    if comm.rank == 0:
        first(comm, twin, value)
    else:
        second(comm, twin, value)
"""


def by_flag(arms: Arms) -> str:
    return f"""
def run(comm, value):
    twin = comm.Dup()
    is_root = comm.Get_rank() == 0
    if not is_root:
{arm(arms[0], 2)}
    if is_root:
{arm(arms[1], 2)}
"""


def in_method(arms: Arms) -> str:
    return f"""
class Solver:
    def __init__(self, comm):
        self.comm = comm
        self.rank = comm.rank

    def step(self, value):
        twin = self.comm.Dup()
        if self.rank == 0:
{arm(arms[0], 3, "self.comm")}
        else:
{arm(arms[1], 3, "self.comm")}
"""


def in_case(arms: Arms) -> str:
    return f"""
def run(comm, value):
    twin = comm.Dup()
    match comm.rank:
        case 0:
{arm(arms[0], 3)}
        case _:
{arm(arms[1], 3)}
"""


def around_uniform_test(arms: Arms) -> str:
    return f"""
def run(comm, value, verbose):
    twin = comm.Dup()
    if verbose:
        print(value)
        if comm.rank == 0:
{arm(arms[0], 3)}
        elif comm.rank >= 1:
{arm(arms[1], 3)}
"""


PLACES: dict[str, Callable[[Arms], str]] = {
    "script": in_script,
    "function": in_function,
    "return": around_return,
    "loop": in_loop,
    "while": in_while,
    "called functions": in_called_functions,
    "flag": by_flag,
    "method": in_method,
    "case": in_case,
    "uniform test": around_uniform_test,
}
# A hundred programs for each place: every third of them, others for each place; all of them as soak.
EACH_PLACE = [
    pytest.param(place, step, marks=[mark] if mark is not None else [], id=f"{place}, {'all' if step == 1 else 'some'}")
    for place in PLACES
    for step, mark in ((3, None if place == "function" else pytest.mark.jobs), (1, pytest.mark.soak))
]


def shown(program: str) -> list[str]:
    found = report_builder.wanted(testing.lint({"program.py": program}), Settings(root=Path()))
    return [f"{one.start.row}: {one.code} {one.message}" for one in found if re.match(r"JM1\d\d", one.code)]


def is_at_a_call(found: str, program: str) -> bool:
    """Whether a finding is at a collective, or at the call of the function that makes it."""
    line = program.splitlines()[int(found.partition(":")[0]) - 1]
    return bool(re.search(r"(comm|twin)\.\w+\(|first\(|second\(", line))


def some(programs: dict[str, Arms], place: str, step: int) -> list[tuple[str, Arms]]:
    return list(programs.items())[list(PLACES).index(place) % step :: step]


@pytest.mark.parametrize(("place", "step"), EACH_PLACE)
def test_every_mistake_is_found_where_it_is(place: str, step: int) -> None:
    missed, misplaced = [], []
    for name, arms in some(mistakes(), place, step):
        program = HEAD + PLACES[place](arms)
        found = shown(program)
        missed += [name] if not found else []
        misplaced += [(name, one) for one in found if not is_at_a_call(one, program)]
    assert (missed, misplaced) == ([], [])


@pytest.mark.parametrize(("place", "step"), EACH_PLACE)
def test_equal_arms_are_silent(place: str, step: int) -> None:
    programs = some(rights(), place, step)
    alarms = {name: found for name, arms in programs if (found := shown(HEAD + PLACES[place](arms)))}
    assert alarms == {}
