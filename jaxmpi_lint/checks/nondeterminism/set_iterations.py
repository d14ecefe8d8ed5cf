"""Loops over sets that communicate for each element, and elements that ranks select by their position in a set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.jax.loop_bodies import LoopBody
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.nondeterminism.set_order import SetOrder, passed_order, set_order
from jaxmpi_lint.checks.base import wrap_in_sorted
from jaxmpi_lint.checks.nondeterminism.drawn_orders import shared_order, subscripts
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.checks.nondeterminism.set_numberings import SetNumbering


_MAY_HOLD_SET = re.compile(r"set\(|\{[^{}:]*[,}]")
"""A call of ``set`` or ``frozenset``, or braces without a colon."""


@dataclass(frozen=True, slots=True)
class SetIteration:
    """A loop over a set, and the communication in it; without one, the ``share`` that each rank takes of the set."""

    function: Function
    iterable: ir.Expression
    order: SetOrder
    communication: ir.Call | None
    share: ir.Expression | None = None

    @property
    def kind(self) -> str:
        """Whether a loop communicates in that order, or each rank selects elements by position."""
        return "loop" if self.share is None else "share"

    @property
    def place(self) -> Place:
        """The iterated expression, or the share."""
        return Place(self.function.module, (self.share or self.iterable).span)

    @property
    def is_text(self) -> bool:
        """Whether the elements are provably strings, whose hashes are salted."""
        return self.order.elements is Hash.SALTED

    @property
    def confidence(self) -> Confidence:
        """High where the elements are provably strings."""
        return Confidence.HIGH if self.is_text else Confidence.MEDIUM

    @property
    def called(self) -> str:
        """The communication as it is written."""
        return self.function.module.source(self.communication.func.span) if self.communication is not None else ""

    @property
    def sorted_part(self) -> str:
        """The part of the iterable to sort, as it is written."""
        return self.function.module.source(_wrapped(self.iterable).span)

    def steps(self) -> Iterator[Step]:
        """The set, if it is created elsewhere, then the communication."""
        source = self.order.source.span
        if source != (0, 0) and not (self.order.function is self.function and ir.contains(self.iterable.span, source)):
            yield Step(self.order.function.module, source, "a set: its order differs between processes")
        if self.communication is not None:
            yield Step(self.function.module, self.communication.span, f"`{self.called}` is called in that order")


def set_iterations(function: Function) -> Iterator[SetIteration]:
    """Each loop of a function that communicates in set order."""
    for block, branch, _ in function.branches():
        if branch.kind not in ("for", "comprehension") or not isinstance(branch.test, ir.Element):
            continue
        env = function.flow.environment_before(block.index, None)
        order = set_order(function, branch.test.iterable, env) or passed_order(function, branch.test.iterable)
        if order is None:
            continue
        body = LoopBody(function, block.index, branch)
        if order.elements is not Hash.SALTED and body.counts():
            continue
        communication = body.ordered_communication()
        if communication is not None:
            yield SetIteration(function, branch.test.iterable, order, communication.call)


def set_shares(function: Function) -> Iterator[SetIteration]:
    """The shares that ranks take, by position, of sequences of strings in the order of a set."""
    if not _MAY_HOLD_SET.search(function.module.text):
        return
    seen: set[ir.Span] = set()
    for node, env in subscripts(function):
        iterable = shared_order(function, node, env)
        order = set_order(function, iterable, env) if iterable is not None else None
        if iterable is None or order is None or order.elements is not Hash.SALTED or node.span in seen:
            continue
        seen.add(node.span)
        yield SetIteration(function, iterable, order, None, node)


def sort_elements(defect: SetIteration | SetNumbering) -> Repair | None:
    """Iterate over the sorted elements; safe for strings, which can always be compared."""
    if "\n" in defect.sorted_part:
        return None
    applicability = Applicability.SAFE if defect.is_text else Applicability.UNSAFE
    return wrap_in_sorted(_wrapped(defect.iterable).span, "sort the elements", applicability)


def _wrapped(iterable: ir.Expression) -> ir.Expression:
    """The part of the iterable to sort: the argument of ``enumerate``, else all of it."""
    if not isinstance(iterable, ir.Call) or ir.dotted(iterable.func) not in ("enumerate", "list", "tuple", "iter"):
        return iterable
    first = iterable.args[0] if iterable.args else None
    return iterable if first is None or first.keyword is not None or first.star else _wrapped(first.value)
