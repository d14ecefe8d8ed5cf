"""Objects that stand in for MPI where mpi4py is missing: in the handler of its failed import, one process runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.lattice.lattice import Literal, Value, literal

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_LIBRARY = "mpi4py"


class Fallbacks:
    """The handlers of a function that run where mpi4py cannot be imported, and the names that the bodies bind."""

    def __init__(self, function: Function) -> None:
        self._handlers: list[tuple[ir.Span, frozenset[str]]] = []
        text = function.module.text
        if _LIBRARY not in text or "except" not in text:
            return
        steps = list(function.ir.steps())
        for tried in (step for step in steps if isinstance(step, ir.Try)):
            if _LIBRARY in function.module.source(tried.body):
                inside = (step for step in steps if ir.contains(tried.body, step.span))
                names = frozenset(name for step in inside for name in names_bound(step))
                self._handlers += [(one.span, names) for one in tried.handlers if _catches_missing(one.kind)]

    def seen(self, span: ir.Span, name: str, value: Value) -> Value:
        """A value that a step at a position gives a name; a stand-in counts as None, next to which MPI is meant."""
        if not self._handlers or isinstance(value.entity, Literal):
            return value
        is_stand_in = any(ir.contains(handler, span) and name in names for handler, names in self._handlers)
        return literal(None) if is_stand_in else value


def _catches_missing(kind: ir.Expression | None) -> bool:
    kinds = kind.elements if isinstance(kind, ir.Collection) else (kind,)
    return any(one is None or ir.dotted(one) in _MISSING for one in kinds)
