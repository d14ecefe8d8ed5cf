"""Tags of an exchange in small jobs: whether the messages match, and those that its derivative sends back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.jax.differentiation import Differentiated, differentiated
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_SIZES = (2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class TagMismatch:
    """With ``size`` ranks, the derivative on ``sender`` sends to ``receiver``, which waits for a different tag."""

    size: int
    sender: int
    receiver: int
    sent: int
    expected: int


@dataclass(frozen=True, slots=True)
class DerivedMismatch:
    """An exchange that is differentiated although its backward tags do not match."""

    found: Differentiated
    tags: TagMismatch

    @property
    def place(self) -> Place:
        """The exchange."""
        return Place(self.found.values.function.module, self.found.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: all values are known."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """The derivative."""
        derivative = self.found.derivative
        yield Step(derivative.module, derivative.span, "differentiated here")


def derived_mismatches(project: Program) -> Iterator[DerivedMismatch]:
    """One for each exchange, even if it is differentiated several times."""
    reported: set[tuple[str, ir.Span]] = set()
    for found in differentiated(project):
        tags = _tags(found) if found.place not in reported else None
        if tags is not None:
            reported.add(found.place)
            yield DerivedMismatch(found, tags)


def _tags(found: Differentiated) -> TagMismatch | None:
    operation = found.bound.operation
    if operation is None or operation.method != "sendrecv" or not found.derivative.backward:
        return None
    if not found.values.carries(found.bound.argument("sendbuf")):
        return None
    return backward_mismatch(found.values.function, found.bound)


def backward_mismatch(function: Function, bound: BoundCall) -> TagMismatch | None:
    """The first mismatched message of the derivative of ``sendrecv``, if all forward messages match.

    The derivative sends to the source and receives from the destination, with unchanged tags. None where a value does
    not follow from rank and size.
    """
    communicator = bound.communicator
    names = ("source", "dest", "sendtag", "recvtag")
    given = [bound.argument(name) for name in names]
    if communicator is None or not communicator.groups or given[-1] is None:
        return None
    env = _environment_at(function, bound.call)
    for size in _SIZES:
        ranks = [OneRank(Member(rank, size, communicator.groups)) for rank in range(size)]
        columns = [[_number(one, function, part, env) for one in ranks] for part in given]
        known = [[number for number in column if number is not None] for column in columns]
        if any(len(column) < size for column in known):
            return None
        found = _mismatch(*known)
        if found is not None:
            return found
    return None


def _number(one: OneRank, function: Function, part: ir.Expression | None, env: Environment) -> int | None:
    return 0 if part is None else one.number(function, part, env)


def _mismatch(source: list[int], dest: list[int], sent: list[int], expected: list[int]) -> TagMismatch | None:
    size = len(source)
    for rank in range(size):
        there, back = dest[rank], source[rank]
        if there >= size or back >= size:
            return None
        if there >= 0 and (source[there] != rank or expected[there] != sent[rank]):
            return None
        if back >= 0 and dest[back] != rank:
            return None
    for rank in range(size):
        back = source[rank]
        if back >= 0 and sent[rank] != expected[back]:
            return TagMismatch(size, rank, back, sent[rank], expected[back])
    return None


def _environment_at(function: Function, call: ir.Call) -> Environment:
    for _, step, env in function.steps():
        if isinstance(step, ir.Evaluate) and step.expression is call:
            return dict(env)
    return dict(function.flow.exit)
