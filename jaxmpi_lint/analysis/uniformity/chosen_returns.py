"""Tests and exceptions that decide which of several values a function returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet, without_not
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import (
    UNIFORM,
    UNKNOWN,
    RankOf,
    SizeOf,
    Uniformity,
    Value,
    is_replicated,
    literal,
)
from jaxmpi_lint.analysis.lattice.value_queries import is_none
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow

RETURN_DECIDED = "decides the return value"
"""The reason that is added where a test decides which value is returned."""

_OF_FILES = "FileNotFoundError"
_MISSING = "a file may be missing for this process"
_OF_IMPORTS = frozenset({"ImportError", "ModuleNotFoundError"})


def returned(flow: Flow, ends: Mapping[int, Value | None]) -> Value | None:
    """The value that a function returns at its ends; None if it never returns a value."""
    values = [value for value in ends.values() if value is not None]
    if not values:
        return None
    joined = reduce(Value.join, values)
    return _Ends(flow, {index: value or literal(None) for index, value in ends.items()}).of(joined)


@dataclass(frozen=True, slots=True)
class _Ends:
    """The values that a function returns, by the blocks that return them."""

    flow: Flow
    ends: Mapping[int, Value]

    def of(self, joined: Value) -> Value:
        """The returned value, given the join of all of them."""
        values = list(self.ends.values())
        if _are_one(values):
            return joined
        if any(map(is_replicated, values)) and any(value.content.level.diverges for value in values):
            return _unknown(joined)  # a setting, or a single process, makes it return what is not equalised
        facets = list(self._deciding())
        choice = reduce(Uniformity.join, facets, UNIFORM) if all(map(_is_known, facets)) else UNKNOWN
        if choice.level is Level.UNIFORM:
            return joined
        if choice.source is Source.FILES:
            return _chosen(joined, values, UNKNOWN, choice)
        return _chosen(joined, values, choice, choice)

    def _deciding(self) -> Iterator[Uniformity]:
        """The deciding tests; where a part of one is unknown, it may be correlated with other tests of the caller.

        Files decide whether the value is None, and nothing else: nearly always all processes see the same files.
        """
        graph, blocks = self.flow.function.graph, self.flow.function.ir.blocks
        for index, test in self.flow.tests.items():
            branch, sides = blocks[index].terminator, graph.successors[index]
            if isinstance(branch, ir.Branch) and len(sides) > 1 and self._are_different(*sides[:2]):
                yield self._decided(index, branch, deciding_facet(branch, test))
        for block in blocks:
            if self.flow.entries[block.index] is not None:
                yield from self._exceptions_of(block)

    def _decided(self, index: int, branch: ir.Branch, test: Uniformity) -> Uniformity:
        """The uniformity that a test adds; unknown if the processes may have communicated after they diverged."""
        if not test.level.diverges:
            return test
        if self._is_unknown_in_part(index, branch.test):
            return UNKNOWN
        if self._asks_for_each_rank(index, without_not(branch.test)):
            return UNKNOWN
        region = self.flow.function.graph.reachable(index) - {index}
        if any(self._communicates(block) for block in region):
            return UNKNOWN
        return test.because(self.flow.function.module, branch.test.span, RETURN_DECIDED)

    def _asks_for_each_rank(self, index: int, test: ir.Expression) -> bool:
        """Whether the test compares the rank with the variable of a loop over all ranks: it holds once on each."""
        if not isinstance(test, ir.Comparison) or test.operators not in (("==",), ("!=",)):
            return False
        env, evaluator = self.flow.environment_before(index, None), self.flow.evaluator
        others = [one for one in test.operands if not isinstance(evaluator.value(one, env).entity, RankOf)]
        if len(others) != 1 or not isinstance(others[0], ir.Name):
            return False
        found = visible_definitions(self.flow.function, others[0].id)
        match found[1] if found is not None else []:
            case [ir.Element(iterable=ir.Call(func=ir.Name(id="range"), args=(_, *_) as args))]:
                return isinstance(evaluator.value(args[-1].value, env).entity, SizeOf)
        return False

    def _is_unknown_in_part(self, index: int, test: ir.Expression) -> bool:
        test = without_not(test)
        if isinstance(test, ir.BooleanOperation):
            return any(self._is_unknown_in_part(index, operand) for operand in test.operands)
        env = self.flow.environment_before(index, None)
        return self.flow.evaluator.value(test, env).content.level is Level.UNKNOWN

    def _communicates(self, block: int) -> bool:
        return block < len(self.flow.function.ir.blocks) and self.flow.function.block_may_communicate(block)

    def _exceptions_of(self, block: ir.Block) -> Iterator[Uniformity]:
        """What exceptions in a block decide, other than those of an import, if they lead to a different value."""
        for entry in block.handlers:
            kind = self._kinds.get(entry)
            name = ir.dotted(kind) if kind is not None else None
            if name in _OF_IMPORTS or not self._are_different(block.index, entry):
                continue
            if kind is None or name != _OF_FILES or any(map(self._communicates, self._after(entry))):
                yield UNKNOWN
            else:
                told = Uniformity(Level.LOCAL).because(self.flow.function.module, kind.span, _MISSING, Source.FILES)
                yield told.because(self.flow.function.module, kind.span, RETURN_DECIDED)

    def _after(self, entry: int) -> frozenset[int] | set[int]:
        return self.flow.function.graph.reachable(entry)

    @property
    def _kinds(self) -> dict[int, ir.Expression | None]:
        """The exceptions that the handlers take, by their first blocks."""
        tries = (step for step in self.flow.function.ir.steps() if isinstance(step, ir.Try))
        return {handler.entry: handler.kind for one in tries for handler in one.handlers}

    def _are_different(self, one: int, other: int) -> bool:
        """Whether paths from two blocks return different values."""
        reachable = self.flow.function.graph.reachable
        first, second = (self.ends.keys() & reachable(start) for start in (one, other))
        return bool(first and second) and first != second and not _are_one([self.ends[i] for i in first | second])


def _are_one(values: list[Value]) -> bool:
    return all(value == values[0] for value in values[1:]) or all(map(is_replicated, values))


def _unknown(value: Value) -> Value:
    return replace(value, content=UNKNOWN, structure=UNKNOWN, noneness=UNKNOWN, elements=None)


def _is_known(facet: Uniformity) -> bool:
    return facet.level is not Level.UNKNOWN


def _chosen(joined: Value, values: list[Value], choice: Uniformity, presence: Uniformity) -> Value:
    """One of several values, selected by a choice that is not known to be uniform; ``presence`` decides about None."""
    none = sum(map(is_none, values))
    lengths = {len(value.elements) for value in values if value.elements is not None}
    elements = joined.elements
    if elements is not None:
        parts = [[value.elements[i] for value in values if value.elements] for i in range(len(elements))]
        elements = tuple(
            element if _are_one(part) else _chosen(element, part, choice, presence)
            for element, part in zip(elements, parts, strict=True)
        )
    return replace(
        joined,
        content=joined.content.join(choice),
        structure=joined.structure.join(choice if len(lengths) > 1 else UNKNOWN),
        noneness=joined.noneness.join(presence if 0 < none < len(values) else UNIFORM),
        elements=elements,
    )
