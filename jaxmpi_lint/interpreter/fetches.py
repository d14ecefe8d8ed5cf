"""Copies to the host of JAX arrays whose elements are divided among the devices of all processes.

A process has its own shards only: `numpy.asarray` and the like raise `RuntimeError` unless the array is replicated (JAX
documentation, "Distributed arrays and automatic parallelization", `jax.Array.is_fully_addressable`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.events import Access
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Method, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_FUNCTIONS = frozenset(
    {"numpy.array", "numpy.asarray", "numpy.asanyarray", "numpy.ascontiguousarray", "jax.device_get"}
)
_METHODS = frozenset({"item", "tolist", "__array__"})
_DIVIDED = "divided arrays"


def note_divided(rank: Rank, array: Value) -> None:
    """Remember an array of which each process surely has a part only."""
    if isinstance(array, Symbol):
        rank.state.setdefault(_DIVIDED, set()).add(array)


def check(rank: Rank, function: Value, arguments: Arguments) -> None:
    """Fail where a call copies such an array to the host."""
    divided = rank.state.get(_DIVIDED)
    if not divided:
        return
    if isinstance(function, Library):
        given, label = arguments.get(0), function.dotted
        is_fetch = rank.canonical(label) in _FUNCTIONS
    else:
        given, label = getattr(function, "receiver", None), getattr(function, "name", "")
        is_fetch = isinstance(function, Method) and label in _METHODS
    if is_fetch and isinstance(given, Symbol) and given in divided:
        event = Access(rank.place(rank.state["span"]), label.rpartition(".")[2])
        raised = Raised("RuntimeError")
        raised.fields["*fault"] = Fault(Kind.FETCH, event, rank.number)  # counts if the program does not catch it
        raise ProgramError(raised)
