"""Jobs whose ranks are started with different arguments: ``mpirun -n 1 app.py server : -n 2 app.py client``.

With equal arguments each side of such a program waits for messages that only the other side sends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from jaxmpi_lint.interpreter.certainty import MAX_STEPS, Found
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.symbols import Symbol, Symbols, reachable
from jaxmpi_lint.interpreter.verdicts import POINT_TO_POINT, Kind
from jaxmpi_lint.interpreter.world import World

_MAX_JOBS = 4
_WITHOUT_PARTNERS = POINT_TO_POINT - {Kind.BUFFERING}
"""Kinds that show although messages are buffered, as they are in the jobs that are tried."""


def doubt(program: Program, symbols: Symbols, result: Explored, found: Iterable[Found]) -> None:
    """Doubt the faults of messages that are not there if one rank has other arguments.

    ``found`` are the faults of one number of ranks.
    """
    faulty = [one for one in found if one.fault.kind in _WITHOUT_PARTNERS]
    jobs = (pair for pair in itertools.permutations(faulty, 2) if _differ_at_start(*pair))
    for first, rest in itertools.islice(jobs, _MAX_JOBS):
        apart = {key: outcome for key, outcome in first.decisions.items() if _is_of_start(key)}
        decisions = Decisions({**first.decisions, **rest.decisions}, apart=apart)
        world = World(program, symbols, first.size, decisions, MAX_STEPS)
        verdict = world.run(result.entry)
        result.worlds += 1
        result.steps += world.steps
        if not (verdict.fault or verdict.cut):
            result.starts_differ = True
            for one in faulty:
                one.doubt()
            return


def _differ_at_start(first: Found, other: Found) -> bool:
    """Whether the choices of two worlds differ, and only those that the arguments decide."""
    different = [key for key, outcome in first.decisions.items() if other.decisions.get(key, outcome) is not outcome]
    return bool(different) and all(map(_is_of_start, different))


def _is_of_start(key: object) -> bool:
    """Whether a choice is about nothing but the command that starts a process, and its environment.

    A number that each rank draws is not, though an option is part of its seed.
    """
    parts = reachable(key)
    leaves = [one for one in parts if not one.operands]
    return bool(leaves) and all(map(_is_argument, leaves)) and not any("random" in one.own for one in parts)


def _is_argument(symbol: Symbol) -> bool:
    match symbol.key:
        case (("str", "option"), ("str", _)) | (("str", "environ" | "command"), *_) | (("str", "argv"), *_):
            return True
    return False
