"""Uses of an unsorted file listing that affect several ranks: loops that communicate, and selection by rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import (
    expressions_read,
    may_mention,
    reads_anywhere,
    terminator_expressions,
    visible_definitions,
)
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.jax.loop_bodies import LoopBody
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.nondeterminism.listing_order import Listing, ListingOrder
from jaxmpi_lint.checks.base import wrap_in_sorted
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.sequences import DIVIDES, ISLICE

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_NAMES = ("listdir", "scandir", "glob", "iglob", "rglob", "iterdir")


@dataclass(frozen=True, slots=True)
class ListingUse:
    """A place where the order matters; ``call`` is the communication in a loop, None for a selection by rank."""

    function: Function
    listing: Listing
    used: ir.Expression
    call: ir.Call | None

    @property
    def kind(self) -> str:
        """Whether a loop communicates in that order, or each rank selects files by position."""
        return "share" if self.call is None else "loop"

    @property
    def place(self) -> Place:
        """The expression that is iterated or sliced."""
        return Place(self.function.module, self.used.span)

    @property
    def confidence(self) -> Confidence:
        """High where the function itself lists the files."""
        return Confidence.HIGH if self.listing.function is self.function else Confidence.MEDIUM

    @property
    def sorting(self) -> str:
        """The remedy: directory entries cannot be compared."""
        return "sort the listing" if self.listing.sortable else "sort the entries by their names"

    @property
    def text(self) -> str:
        """The call that lists the files, as it is written."""
        return self.listing.function.module.source(self.listing.call.func.span)

    @property
    def called(self) -> str:
        """The call that communicates in a loop, as it is written."""
        return self.function.module.source(self.call.func.span) if self.call is not None else ""

    def steps(self) -> Iterator[Step]:
        """The listing, then the communication."""
        module = self.listing.function.module
        yield Step(module, self.listing.call.span, "lists the files in arbitrary order")
        if self.call is not None:
            yield Step(self.function.module, self.call.span, f"`{self.called}` is called in that order")


def listing_uses(function: Function) -> Iterator[ListingUse]:
    """Each place of a function where the order of a listing matters."""
    return ListingUses(function).find() if function.module_model.names(_NAMES) else iter(())


def sort_listing(defect: ListingUse) -> Repair | None:
    """Sort the listing, if it is created in the same file and its entries can be compared."""
    listing = defect.listing
    if listing.function.module is not defect.function.module or not listing.sortable:
        return None
    return wrap_in_sorted(listing.call.span, "sort the listing", Applicability.SAFE)


class ListingUses:
    """Finds them in one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._order = ListingOrder(function)

    def find(self) -> Iterator[ListingUse]:
        """Each use that several ranks execute."""
        yield from self._loops()
        yield from self._shares()

    def _loops(self) -> Iterator[ListingUse]:
        for block, branch, _ in self._function.branches():
            if branch.kind not in ("for", "comprehension") or not isinstance(branch.test, ir.Element):
                continue
            listing = self._order.of(branch.test.iterable)
            if listing is None or self._is_of_one_role(block.index):
                continue
            communication = LoopBody(self._function, block.index, branch).ordered_communication()
            if communication is not None:
                yield ListingUse(self._function, listing, branch.test.iterable, communication.call)
            elif self._is_dealt(block.index, branch):
                yield ListingUse(self._function, listing, branch.test.iterable, None)

    def _is_dealt(self, header: int, branch: ir.Branch) -> bool:
        """Whether the position in the listing selects the rank of the element: ``if index % size == rank``."""
        if not isinstance(branch.test, ir.Element) or not _is_enumerated(branch.test.iterable):
            return False
        names = self._positions(branch)
        for block, inner, test in self._function.branches():
            inside = branch.extent[0] <= inner.span[0] < branch.extent[1] and block.index != header
            if inside and inner.kind == "if" and test.content.level is Level.RANK:
                return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(inner.test))
        return False

    def _positions(self, branch: ir.Branch) -> set[str]:
        for step in self._function.ir.blocks[branch.when_true].steps:
            if isinstance(step, ir.Assign) and isinstance(step.targets[0], ir.Collection):
                first = step.targets[0].elements[0]
                return {first.id} if isinstance(first, ir.Name) else set()
        return set()

    def _shares(self) -> Iterator[ListingUse]:
        parts = self._parts()
        seen: set[ir.Span] = set()
        for block, expression, env in self._expressions() if parts else ():
            for node in ir.walk(expression):
                if node.span not in parts or node.span in seen:
                    continue
                listing, bounds = parts[node.span]
                if any(map(partial(self._is_by_rank, env), bounds)) and not self._is_of_one_role(block):
                    seen.add(node.span)
                    yield ListingUse(self._function, listing, node, None)

    def _parts(self) -> dict[ir.Span, tuple[Listing, list[ir.Expression]]]:
        """The expressions that select a part of a listing, and the bounds of the part."""
        found: dict[ir.Span, tuple[Listing, list[ir.Expression]]] = {}
        named = self._function.calls_by_callee.get(Named, ())
        slices = frozenset(bound.call.span for bound in named if bound.dotted == ISLICE)
        for expression in reads_anywhere(self._function.ir):
            if not slices and not may_mention(self._function.module.text, expression, "["):
                continue
            for node in ir.walk(expression):
                whole, bounds = self._part(node, slices)
                listing = self._order.of(whole) if whole is not None else None
                if listing is not None:
                    found[node.span] = listing, bounds
        return found

    def _part(
        self, node: ir.Expression, slices: frozenset[ir.Span]
    ) -> tuple[ir.Expression | None, list[ir.Expression]]:
        """The sequence from which an expression selects a part, and the bounds of the part."""
        match node:
            case ir.Subscript(value=value, index=index) if not isinstance(index, ir.Constant):
                return _cut(self._function, value), [index]
            case ir.Call(args=(first, *bounds)) if node.span in slices:
                return first.value, [argument.value for argument in bounds]
        return None, []

    def _is_by_rank(self, env: Environment, index: ir.Expression) -> bool:
        return self._function.value(index, env).content.level is Level.RANK

    def _is_of_one_role(self, block: int) -> bool:
        """Whether only some ranks execute it."""
        return any(
            guard.test.content.level is Level.RANK and guard.branch.kind not in ("for", "while", "comprehension")
            for guard in guards(self._function, block)
        )

    def _expressions(self) -> Iterator[tuple[int, ir.Expression, Environment]]:
        for block, step, env in self._function.steps():
            for expression in expressions_read(step):
                yield block.index, expression, env
        for block in self._function.ir.blocks:
            if self._function.flow.entries[block.index] is not None:
                env = self._function.flow.environment_before(block.index, None)
                for expression in terminator_expressions(block):
                    yield block.index, expression, env


def _cut(function: Function, value: ir.Expression) -> ir.Expression:
    """The sequence that is split into pieces, of which a subscript selects one."""
    if isinstance(value, ir.Name):
        found = visible_definitions(function, value.id)
        whole = _pieces_of(*found) if found is not None else None
    else:
        whole = _pieces_of(function, [value])
    return value if whole is None else whole


def _pieces_of(function: Function, values: list[ir.Expression]) -> ir.Expression | None:
    """The sequence from which the only value, a list of pieces, is computed."""
    match values:
        case [ir.Call(args=(first, *_)) as call]:
            bound = function.bound(call)
            return first.value if bound is not None and bound.dotted in DIVIDES else None
        case [ir.Comprehension(kind="list", element=ir.Subscript(value=whole, index=ir.Slice()))]:
            return whole
    return None


def _is_enumerated(iterable: ir.Expression) -> bool:
    return isinstance(iterable, ir.Call) and ir.dotted(iterable.func) == "enumerate"
