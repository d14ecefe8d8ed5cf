"""Arrays that reductions of pickled objects compare as a whole: Python has no truth value for the result.

mpi4py applies the operators of lower-case reductions in Python: ``MAX`` and ``MIN`` by ``y > x`` and ``y < x``, the
logical ones by ``bool(x)`` (mpi4py, `Op` and its functions for Python objects).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.values import Library
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective

_REDUCTIONS = frozenset({"reduce", "allreduce", "scan", "exscan"})
_OPERATORS = frozenset({"MAX", "MIN", "LAND", "LOR", "LXOR"})


def check(present: dict[int, Collective]) -> Fault | None:
    """The first rank that passes an array of several elements to such an operator."""
    for number, event in sorted(present.items()) if len(present) > 1 else ():
        operator = event.operator.dotted.rpartition(".")[2] if isinstance(event.operator, Library) else ""
        array = event.payload
        if event.kind not in _REDUCTIONS or operator not in _OPERATORS or not isinstance(array, Array):
            continue
        if array.size is not None and array.size > 1 and not array.is_guessed:
            detail = (
                f"`{operator}` is computed in Python here, and an array of {array.size} elements has no truth value"
            )
            return Fault(Kind.ARRAY_OPERAND, event, number, detail=detail)
    return None
