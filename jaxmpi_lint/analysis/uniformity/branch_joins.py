"""Joins at branches: names assigned on one side of a branch, and their value where the sides meet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNKNOWN,
    Container,
    Literal,
    Record,
    Uniformity,
    Value,
    is_replicated,
)
from jaxmpi_lint.analysis.lattice.taint import Taint
from jaxmpi_lint.analysis.uniformity.container_mutation import is_made_empty, may_be_levelled
from jaxmpi_lint.analysis.uniformity.inplace_changes import Change, changes, held_at, is_container
from jaxmpi_lint.analysis.uniformity.provably_apart import is_shift
from jaxmpi_lint.analysis.uniformity.slice_lengths import padding_of
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow

_LOOPS = frozenset({"for", "while"})
_SEVERAL = re.compile(r"mpi|parallel|distribut|multi|comm|size|n_?proc|n_?rank|world|share|sync|bcast", re.IGNORECASE)
"""Settings that are on where there are several processes."""
_RECEIVING = frozenset({Kind.RECEIVE, Kind.SENDRECV, Kind.COMPLETION})


@dataclass(frozen=True, slots=True)
class _Join:
    """The block in which the sides of a branch meet, and the blocks on the sides."""

    block: int
    sides: tuple[frozenset[int], ...]
    test: Uniformity
    branch: ir.Branch

    @property
    def region(self) -> frozenset[int]:
        """The blocks of all sides."""
        return frozenset().union(*self.sides)


class BranchJoins:
    """The names of one function whose value depends on a branch, by the block in which the sides meet."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._blocks = flow.function.ir.blocks
        self._names: dict[int, dict[str, str]] = {}
        self._changes: dict[int, tuple[Change, ...]] = {}
        self._called: dict[int, tuple[tuple[list[str], list[ir.Call]], ...]] = {}
        self.taints: dict[int, dict[str, Taint]] = {}

    def find(self) -> bool:
        """Record names assigned on one side only, as divergent or unknown as the test is; true if any is found."""
        found = False
        for index, test in sorted(self._flow.tests.items(), key=lambda item: not item[1].content.level.diverges):
            branch = self._blocks[index].terminator
            if not isinstance(branch, ir.Branch):
                continue
            if test.content.level is Level.UNIFORM and not self._asks_for_several(branch):
                continue
            if isinstance(branch.test, ir.Element) and test.structure.level is Level.UNIFORM:
                continue  # equally many passes on all ranks
            graph = self._flow.function.graph
            join = graph.immediate_postdominator(index)
            if join >= len(self._blocks):
                continue
            sides = tuple(frozenset(graph.reachable(side, join) - {index}) for side in graph.successors[index])
            found |= self._find_at(_Join(join, sides, test.content, branch))
        return found

    def _asks_for_several(self, branch: ir.Branch) -> bool:
        """Whether a test asks for a setting by which the program communicates, since it has several processes."""
        return branch.kind == "if" and bool(_SEVERAL.search(self._flow.function.module.source(branch.test.span)))

    def _find_at(self, join: _Join) -> bool:
        found = False
        if join.test.level.diverges:
            for name in sorted({name for block in join.region for name in self._received(block)}):
                found |= self._settle(name, join, Taint(UNKNOWN, settles=True))
            for path in sorted(self._confirmed(join)):
                found |= self._settle(path, join, Taint(UNKNOWN, settles=True))
        elif self._asks_for_several(join.branch) and self._may_communicate(join):
            for name in sorted({name for block in join.region for name in self._assigned(block)}):
                if len({value.noneness.level.diverges for value in self._values(name, join)}) > 1:
                    found |= self._settle(name, join, Taint(UNKNOWN, settles_none=True))
        if join.test.level is Level.UNIFORM:
            return found
        is_as_often = join.branch.kind == "comprehension" or (
            join.branch.kind == "for" and join.test.level is Level.ORDER
        )
        if join.test.level.diverges and not is_as_often:
            changed = {change.path: change for block in join.region for change in self._changed(block)}
            for path in sorted(changed):
                found |= self._taint_changed(changed[path], join)
        for name in sorted({name for block in join.region for name in self._assigned(block)}):
            found |= self._taint(name, join)
        return found

    # --- names that are assigned ---

    def _settle(self, name: str, join: _Join, taint: Taint) -> bool:
        """Record a name that one side may make equal on all ranks.

        It receives the value of the others there, or communicates by a setting, without which there is one process.
        """
        return self.taints.get(join.block, {}).get(name) != taint and self._record(name, join, taint)

    def _confirmed(self, join: _Join) -> set[str]:
        """The names and fields that the sides set only to a truth which a test around the place has found already."""
        found: dict[str, bool] = {}
        for block in join.region:
            for step in self._blocks[block].steps:
                for path in _paths_set(step):
                    constant = step.value if isinstance(step, ir.Assign) else None
                    value = constant.value if isinstance(constant, ir.Constant) else None
                    is_known = isinstance(value, bool) and any(
                        self._is_found(path, value, block, test) for test in join.region
                    )
                    found[path] = found.get(path, True) and is_known
        return {path for path, is_known in found.items() if is_known}

    def _is_found(self, path: str, value: bool, block: int, index: int) -> bool:
        """Whether the test at the end of a block leads to another one only where a name or field has a truth."""
        branch = self._blocks[index].terminator
        if not isinstance(branch, ir.Branch) or branch.kind != "if":
            return False
        tested, truth = ir.strip_not(branch.test, value)
        graph = self._flow.function.graph
        join = graph.immediate_postdominator(index)
        chosen, other = (branch.when_true, branch.when_false) if truth else (branch.when_false, branch.when_true)
        is_inside = block in graph.reachable(chosen, join) and block not in graph.reachable(other, join)
        return ir.dotted(tested) == path and is_inside and block != join

    def _taint(self, name: str, join: _Join) -> bool:
        values = self._values(name, join)
        accumulates = self._accumulates(name, join)
        if not accumulates and (
            all(map(is_replicated, values)) or (_are_equal(values) and not self._are_apart(name, join, values))
        ):
            return False
        if name in self.taints.get(join.block, {}):
            return False
        if self._may_communicate(join):
            return self._record(name, join, Taint(UNKNOWN))
        none = sum(value.entity == Literal.of(None) for value in values)
        may_be_none = 0 < none < len(values) or None in self._replaced(name, join)
        lengths = {len(value.elements) for value in values if value.elements is not None}
        grows = accumulates and self._are_containers(name, values)
        resized = len(lengths) > 1 or (grows and not may_be_levelled(self._flow.function, name))
        message = f"decides the value of `{name}`"
        return self._record(name, join, Taint(self._told(join, message), may_be_none, resized))

    def _accumulates(self, path: str, join: _Join) -> bool:
        """Whether a loop, which processes repeat different numbers of times, adds to a name or a field."""
        if join.branch.kind not in _LOOPS or join.test.level not in (Level.RANK, Level.LOCAL):
            return False
        steps = (step for block in join.region for step in self._blocks[block].steps)
        added = (step.target for step in steps if isinstance(step, ir.AugmentedAssign))
        return any(ir.dotted(target) == path for target in added)

    def _are_apart(self, name: str, join: _Join, values: list[Value]) -> bool:
        """Whether equal abstract values stand for different values."""
        apart = self._are_computed_apart(name, join, values) or self._is_shifted(name, join, values)
        return apart or bool(self._replaced(name, join))

    def _is_shifted(self, name: str, join: _Join, values: list[Value]) -> bool:
        """Whether one side alone adds a constant to a number of which nothing else is known."""
        if join.test.level is not Level.RANK or values[0].content.level is not Level.UNKNOWN:
            return False
        assigning = [
            [step for block in side for step in self._blocks[block].steps if name in names_bound(step)]
            for side in join.sides
        ]
        steps = [step for side in assigning for step in side]
        return len(steps) == 1 and join.branch.kind not in _LOOPS and is_shift(steps[0], name)

    def _replaced(self, name: str, join: _Join) -> list[object]:
        """The constants that one side replaces, in a loop that may carry the new value around."""
        function = self._flow.function
        untouched = any(all(name not in self._assigned(block) for block in side) for side in join.sides)
        if not untouched or not join.test.level.diverges or name in function.bound_in_part | self._awaited:
            return []
        spans = [self._blocks[block].steps for block in join.region]
        inside = {step.value.span for steps in spans for step in steps if isinstance(step, ir.Assign) and step.value}
        values = function.assignments.get(name, {}).values()
        outside = [value for value in values if value.span not in inside]
        constants = [value.value for value in outside if isinstance(value, ir.Constant)]
        replaced = any(not isinstance(value, ir.Constant) for value in values if value.span in inside)
        return constants if replaced and len(constants) == len(outside) else []

    @cached_property
    def _awaited(self) -> frozenset[str]:
        """The names that a ``while`` statement tests: the loop goes on until they have a value."""
        ends = (block.terminator for block in self._blocks)
        tests = [end.test for end in ends if isinstance(end, ir.Branch) and end.kind == "while"]
        return frozenset(node.id for test in tests for node in ir.walk(test) if isinstance(node, ir.Name))

    def _are_computed_apart(self, name: str, join: _Join, values: list[Value]) -> bool:
        """Whether the sides assign objects that are alike as far as known, but made by different expressions."""
        held = values[0] if values else NOTHING
        if held.content.level is not Level.UNIFORM or not isinstance(held.entity, (Container, Record, type(None))):
            return False
        if not join.test.level.diverges:
            return False
        texts = {tuple(sorted({self._assigned(block).get(name, "") for block in side} - {""})) for side in join.sides}
        return len(texts) > 1

    # --- objects that are changed in place ---

    def _taint_changed(self, change: Change, join: _Join) -> bool:
        texts = [
            sorted(one.text for block in side for one in self._changed(block) if one.path == change.path)
            for side in join.sides
        ]
        if change.path in self.taints.get(join.block, {}) or all(text == texts[0] for text in texts[1:]):
            return False
        sources = list(self._sources(join))
        held = [self._held_at_end(source, change) for source in sources]
        is_field = isinstance(change.place, ir.Attribute) and not change.adds and not change.inside
        if not held or not (is_field or self._are_containers(change.path, held)):
            return False
        accumulates = is_field and self._accumulates(change.path, join)
        if is_field and _are_equal(held) and not accumulates:
            return False
        if self._may_communicate(join):
            return self._record(change.path, join, Taint(UNKNOWN, resized=True, place=change.place))
        none = sum(value.entity == Literal.of(None) for value in held)
        resized = self._is_resized(change, join, held) or (accumulates and self._are_containers(change.path, held))
        is_levelled = join.branch.kind in _LOOPS and may_be_levelled(self._flow.function, change.path)
        if is_levelled or change.path in padding_of(self._flow.function).around(join.branch):
            resized = False
        told = self._told(join, f"decides how `{change.path}` is changed")
        keys = self._keys(change.path, join)
        return self._record(change.path, join, Taint(told, 0 < none < len(held), resized, change.place, keys))

    def _are_containers(self, path: str, held: list[Value]) -> bool:
        return all(map(is_container, held)) or is_made_empty(self._flow.function, path)

    def _keys(self, path: str, join: _Join) -> frozenset[object] | None:
        """The keys of the entries that the sides assign; None if some are unknown."""
        made = [one for block in join.region for one in self._changed(block) if one.path == path]
        keys = [one.key for one in made if one.key is not None]
        return frozenset(key.value for key in keys) if len(keys) == len(made) else None

    def _is_resized(self, change: Change, join: _Join, held: list[Value]) -> bool:
        """Whether the sides add or remove different numbers of elements."""
        counts = set()
        for side in join.sides:
            made = [one for block in side for one in self._changed(block) if one.path == change.path]
            counts.add(sum(any(map(one.resizes, held)) for one in made))
        return len(counts) > 1

    def _held_at_end(self, block: int, change: Change) -> Value:
        return held_at(self._flow.evaluator, change, self._flow.environment_before(block, None))

    # --- both ---

    def _sources(self, join: _Join) -> Iterator[int]:
        predecessors = self._flow.function.graph.predecessors[join.block]
        return (i for i in predecessors if self._flow.entries[i] is not None)

    def _may_communicate(self, join: _Join) -> bool:
        """Whether the sides may communicate, so that a value of one rank may be that of all.

        The calls of this pass know the communicators that are parameters; the function does not until it is computed.
        """
        function = self._flow.function
        steps = (step for block in join.region for step in self._blocks[block].steps)
        calls = (self._flow.calls.get(step.expression.span) for step in steps if isinstance(step, ir.Evaluate))
        if any(bound is not None and bound.operation_may_communicate for bound in calls):
            return True
        return any(function.block_may_communicate(block) for block in join.region)

    def _told(self, join: _Join, message: str) -> Uniformity:
        return join.test.because(self._flow.function.module, join.branch.test.span, message)

    def _record(self, name: str, join: _Join, taint: Taint) -> bool:
        self.taints.setdefault(join.block, {})[name] = taint
        return True

    def _assigned(self, block: int) -> dict[str, str]:
        """The names that a block assigns to, and the texts of the last assignments."""
        if block not in self._names:
            self._names[block] = dict(self._names_assigned(block))
        return self._names[block]

    def _names_assigned(self, block: int) -> Iterator[tuple[str, str]]:
        source = self._flow.function.module.source
        for step in self._blocks[block].steps:
            match step:
                case ir.Assign(targets=targets, value=value):
                    text = source(value.span) if value is not None else ""
                    yield from ((name, text) for target in targets for name in _names_in(target))
                case ir.AugmentedAssign(target=ir.Name(id=name), value=value):
                    yield name, source(value.span)

    def _changed(self, block: int) -> tuple[Change, ...]:
        if block not in self._changes:
            self._changes[block] = tuple(changes(self._flow.function, self._blocks[block]))
        return self._changes[block]

    def _received(self, block: int) -> Iterator[str]:
        """The names and fields to which a block assigns what it receives in a message."""
        if block not in self._called:
            self._called[block] = tuple(self._calls_assigned(block))
        for paths, calls in self._called[block]:
            if any(map(self._receives, calls)):
                yield from paths

    def _calls_assigned(self, block: int) -> Iterator[tuple[list[str], list[ir.Call]]]:
        """The names and fields that a block assigns, with the calls in the values."""
        for step in self._blocks[block].steps:
            if isinstance(step, ir.Assign) and step.value is not None:
                calls = [node for node in ir.walk(step.value) if isinstance(node, ir.Call)]
                if calls:
                    yield [path for target in step.targets for path in _paths_in(target)], calls

    def _receives(self, call: ir.Call) -> bool:
        """Whether a call receives a message, itself or in a function of the project."""
        bound = self._flow.calls.get(call.span)
        if bound is None:
            return False
        if bound.operations:
            return any(operation.kind in _RECEIVING for operation in bound.operations)
        function = self._flow.function
        return function.project.summaries.call_may_communicate(bound, function.module)

    def _values(self, name: str, join: _Join) -> list[Value]:
        return [self._value_at_end(source, name) for source in self._sources(join)]

    def _value_at_end(self, block: int, name: str) -> Value:
        return self._flow.environment_before(block, None).get(name, NOTHING)


def _names_in(target: ir.Expression) -> Iterator[str]:
    """The names that an assignment binds, or whose objects it changes: an index is only read."""
    match target:
        case ir.Name(id=name):
            yield name
        case ir.Subscript(value=held) | ir.Attribute(value=held):
            yield from _names_in(held)
        case _:
            for child in ir.children(target):
                yield from _names_in(child)


def _paths_in(target: ir.Expression) -> Iterator[str]:
    """The names and fields that an assignment binds."""
    if isinstance(target, ir.Collection):
        for element in target.elements:
            yield from _paths_in(element)
    elif (path := ir.dotted(target)) is not None:
        yield path


def _paths_set(step: ir.Step) -> Iterator[str]:
    """The names and fields that a step sets."""
    match step:
        case ir.Assign(targets=targets):
            for target in targets:
                yield from _paths_in(target)
        case ir.AugmentedAssign(target=target):
            yield from _paths_in(target)


def _are_equal(values: list[Value]) -> bool:
    return all(value == values[0] for value in values[1:])


def chosen_elements(body: Value, orelse: Value, joined: Value, content: Uniformity) -> tuple[Value, ...] | None:
    """The elements of one of two tuples that a test chooses: those that differ depend on the test."""
    if joined.elements is None or body.elements is None or orelse.elements is None:
        return joined.elements
    pairs = zip(body.elements, orelse.elements, joined.elements, strict=True)
    return tuple(one if mine == other else one.of_content(content) for mine, other, one in pairs)
