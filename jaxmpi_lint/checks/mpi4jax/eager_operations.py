"""mpi4jax operations in Python loops, outside any compiled function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_FEW = 4
"""Trip count up to which a loop is not reported."""
_METHODS = frozenset({"classmethod", "staticmethod"})


@dataclass(frozen=True, slots=True)
class EagerOperation:
    """A call of an operation, and the header of the loop around it."""

    function: Function
    bound: BoundCall
    loop: ir.Branch

    @property
    def place(self) -> Place:
        """The name of the operation where it is called."""
        return Place(self.function.module, self.bound.call.func.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: how often the loop runs is not known."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The loop."""
        yield Step(self.function.module, self.loop.span, "repeats it outside any compiled function")


def eager_operations(function: Function) -> Iterator[EagerOperation]:
    """Each operation of a function that an enclosing loop repeats, once per call."""
    return function.project.get(EagerOperations).of(function)


class EagerOperations:
    """Finds such operations, and the functions of a project that run untraced."""

    def __init__(self, project: Program) -> None:
        self._sites = project.get(CallSites)
        self._plain = Solved[tuple[str, str], bool](False)

    def of(self, function: Function) -> Iterator[EagerOperation]:
        """Each operation of a function that an enclosing loop repeats, once per call."""
        seen: set[ir.Span] = set()
        for _, bound in function.calls_by_block:
            operation = bound.operation
            if operation is None or operation.library != "mpi4jax" or not operation.communicates:
                continue
            loop = _loop_around(function, bound.call.span)
            if loop is not None and bound.call.span not in seen and self._is_plain(function):
                seen.add(bound.call.span)
                yield EagerOperation(function, bound, loop)

    def _is_plain(self, function: Function) -> bool:
        """Whether a function provably runs untraced: the main program calls it, directly or through such functions.

        An unknown decorator, or a use as a value, may compile it.
        """
        return self._plain.of(function.key, lambda: self._search(function))

    def _search(self, function: Function) -> bool:
        if function.project.traced.trace_of(function) is not None or function.ir.is_generator:
            return False
        if function.ir.kind == "module":
            return True
        if any(ir.dotted(decorator) not in _METHODS for decorator in function.ir.decorators):
            return False
        return any(
            isinstance(site.bound.callee.entity, FunctionReference) and self._is_plain(site.caller)
            for site in self._sites.of(function)
        )


def _loop_around(function: Function, span: ir.Span) -> ir.Branch | None:
    """The innermost loop that repeats a call more than a few times."""
    loops = (loop for _, loop in function.loops_around(span))
    return next((loop for loop in loops if not _is_short(loop) and not _is_in_header(loop, span)), None)


def _is_in_header(loop: ir.Branch, span: ir.Span) -> bool:
    """The iterable of a ``for`` is evaluated once."""
    return loop.kind == "for" and loop.test.span[0] <= span[0] < loop.test.span[1]


def _is_short(loop: ir.Branch) -> bool:
    """Whether the trip count of a loop is provably small."""
    iterable = loop.test.iterable if isinstance(loop.test, ir.Element) else None
    match iterable:
        case ir.Call(func=ir.Name(id="range"), args=(ir.Argument(value=ir.Constant(value=int(passes))),)):
            return passes <= _FEW
        case ir.Collection(elements=elements):
            return len(elements) <= _FEW
    return False
