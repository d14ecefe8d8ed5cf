"""Jobs whose ranks are started with different arguments: ``mpirun -n 1 app.py server : -n 2 app.py client``.

With equal arguments each side of such a program waits for messages that only the other side sends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from jaxmpi_lint.interpreter.certainty import MAX_STEPS, Found
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.symbols import Symbols, reachable
from jaxmpi_lint.interpreter.verdicts import POINT_TO_POINT
from jaxmpi_lint.interpreter.world import World

_OF_START = frozenset({"option", "argv", "environ", "command"})
"""Words of symbols that the command which starts a process decides."""

_MAX_JOBS = 4


def doubt(program: Program, symbols: Symbols, entry: Entry, found: Iterable[Found]) -> bool:
    """Doubt the faults of messages that are not there if one rank has other arguments; True if there are such.

    ``found`` are the faults of one number of ranks.
    """
    faulty = [one for one in found if one.fault.kind in POINT_TO_POINT]
    jobs = (pair for pair in itertools.permutations(faulty, 2) if _differ_at_start(*pair))
    for first, rest in itertools.islice(jobs, _MAX_JOBS):
        apart = {key: outcome for key, outcome in first.decisions.items() if _is_of_start(key)}
        decisions = Decisions({**first.decisions, **rest.decisions}, apart=apart)
        verdict = World(program, symbols, first.size, decisions, MAX_STEPS).run(entry)
        if not (verdict.fault or verdict.cut):
            for one in faulty:
                one.doubt()
            return True
    return False


def _differ_at_start(first: Found, other: Found) -> bool:
    """Whether the choices of two worlds differ, and only those that the arguments decide."""
    different = [key for key, outcome in first.decisions.items() if other.decisions.get(key, outcome) is not outcome]
    return bool(different) and all(map(_is_of_start, different))


def _is_of_start(key: object) -> bool:
    leaves = [one for one in reachable(key) if not one.operands]
    return bool(leaves) and all(not one.words(0).isdisjoint(_OF_START) for one in leaves)
