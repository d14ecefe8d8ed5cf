"""Loops over sets: their places, their iterables, and whether they add operations to a traced program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import may_mention, reads_anywhere
from jaxmpi_lint.analysis.lattice.lattice import Unordered
from jaxmpi_lint.analysis.nondeterminism.hash_provenance import Hash
from jaxmpi_lint.analysis.nondeterminism.set_order import set_order
from jaxmpi_lint.analysis.tracing.tracer_values import TracedNames

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_WRAPPERS = frozenset({"enumerate", "iter", "list", "reversed", "tuple", "zip"})
_QUIET_CALLS = frozenset({"debug", "error", "exception", "info", "isinstance", "log", "print", "warn", "warning"})
_ORDERED_STORES = frozenset({"append", "extend", "insert", "appendleft"})
_REMOVALS = frozenset({"add", "clear", "discard", "pop", "popitem", "remove"})


@dataclass(frozen=True, slots=True)
class SetLoop:
    """A loop or comprehension over a set.

    ``walked`` is the expression in the loop, ``source`` the one that creates the set, ``elements`` the kind of hash.
    """

    walked: ir.Expression
    source: ir.Expression
    elements: Hash
    branch: int | None = None
    comprehension: ir.Comprehension | None = None

    @property
    def from_keys(self) -> bool:
        """Whether the set provably consists of dictionary keys."""
        return any(
            isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "keys"
            for node in ir.walk(self.source)
        )


def set_loops(function: Function) -> Iterator[SetLoop]:
    """Each loop and comprehension of a function over an iterable that is ordered by hashes."""
    for block, branch, _ in function.branches():
        if branch.kind == "for" and isinstance(branch.test, ir.Element):
            env = function.flow.environment_before(block.index, None)
            found = _unordered(function, branch.test.iterable, env)
            if found is not None:
                yield SetLoop(*found, branch=block.index)
    seen: set[ir.Span] = set()
    for expression, env in _expressions(function) if _has_comprehension(function) else ():
        for node in ir.walk(expression):
            if isinstance(node, ir.Comprehension) and node.kind != "set" and node.span not in seen:
                seen.add(node.span)
                for generator in node.generators:
                    found = _unordered(function, generator.iterable, env)
                    if found is not None:
                        yield SetLoop(*found, comprehension=node)


def adds_to_trace(function: Function, loop: SetLoop) -> bool:
    """Whether the order of a loop affects the traced program."""
    traced = TracedNames.of(function)
    if loop.comprehension is not None:
        return _comprehension_adds(function, loop.comprehension, traced)
    assert loop.branch is not None
    branch = function.ir.blocks[loop.branch].terminator
    assert isinstance(branch, ir.Branch)
    for index in function.graph.reachable(branch.when_true, loop.branch):
        if index >= len(function.ir.blocks):
            continue
        block = function.ir.blocks[index]
        inside = [step for step in block.steps if branch.extent[0] <= step.span[0] < branch.extent[1]]
        if any(_step_adds(function, step, traced) for step in inside):
            return True
        if isinstance(block.terminator, ir.Return) and branch.extent[0] <= block.terminator.span[0] < branch.extent[1]:
            value = block.terminator.value
            if value is not None and traced.holds_tracer(value):
                return True
    return False


def _comprehension_adds(function: Function, node: ir.Comprehension, traced: TracedNames) -> bool:
    parts = [node.element] + ([node.value] if node.value is not None else [])
    if node.kind == "dict":
        return any(_stages(function, part, traced) for part in parts)
    return any(traced.holds_tracer(part) or _stages(function, part, traced) for part in parts)


def _step_adds(function: Function, step: ir.Step, traced: TracedNames) -> bool:
    match step:
        case ir.Assign(value=value) if value is not None:
            return _stages(function, value, traced)
        case ir.AugmentedAssign(target=target, value=value):
            return traced.holds_tracer(value) or (traced.holds_tracer(target) and _stages(function, value, traced))
        case ir.Evaluate(expression=ir.Call() as call):
            if _method(call) in _ORDERED_STORES:
                return any(traced.holds_tracer(argument.value) for argument in call.args)
            return _stages(function, call, traced)
        case ir.Evaluate(expression=ir.Yield(value=value)) if value is not None:
            return traced.holds_tracer(value)
    return False


def _stages(function: Function, expression: ir.Expression, traced: TracedNames) -> bool:
    """Whether evaluating an expression adds operations to the trace; access to containers does not."""
    if isinstance(expression, ir.Call):
        if _method(expression) in _QUIET_CALLS or _method(expression) in _REMOVALS | _ORDERED_STORES:
            return False
        bound = function.bound(expression)
        dotted = bound.dotted if bound is not None else None
        if dotted is not None and dotted.startswith("builtins."):
            dotted = None
        if dotted is not None and function.project.catalogue.starts_backend(dotted):
            return True
        return traced.holds_tracer(expression) and _method(expression) not in ("keys", "items", "values", "get")
    if isinstance(expression, (ir.BinaryOperation, ir.UnaryOperation)) and traced.holds_tracer(expression):
        return True
    if isinstance(expression, ir.Comparison):
        return False
    return any(_stages(function, child, traced) for child in ir.children(expression))


def _unordered(
    function: Function, iterable: ir.Expression, env: Environment
) -> tuple[ir.Expression, ir.Expression, Hash] | None:
    """The set that an iterable iterates over, inside ``enumerate`` and similar."""
    if isinstance(iterable, ir.Call) and ir.dotted(iterable.func) in _WRAPPERS:
        found = [_unordered(function, argument.value, env) for argument in iterable.args]
        return next((item for item in found if item is not None), None)
    order = set_order(function, iterable, env)
    if order is None:
        return None
    entity = function.value(iterable, env).entity
    is_text = isinstance(entity, Unordered) and entity.text
    return iterable, order.source, Hash.SALTED if is_text else order.elements


def _has_comprehension(function: Function) -> bool:
    return any(
        isinstance(node, ir.Comprehension) and node.kind != "set"
        for expression in reads_anywhere(function.ir)
        if may_mention(function.module.text, expression, "for")
        for node in ir.walk(expression)
    )


def _expressions(function: Function) -> Iterator[tuple[ir.Expression, Environment]]:
    """The expressions of all steps and terminators, with the environment there."""
    for _, step, env in function.steps():
        match step:
            case ir.Evaluate(expression=expression) | ir.Discard(value=expression):
                yield expression, env
            case ir.Assign(value=value) | ir.AugmentedAssign(value=value) if value is not None:
                yield value, env
    for block in function.ir.blocks:
        value = block.terminator.value if isinstance(block.terminator, ir.Return) else None
        if value is not None and function.flow.entries[block.index] is not None:
            yield value, function.flow.environment_before(block.index, None)


def _method(call: ir.Call) -> str:
    """The last component of the called name."""
    return (ir.dotted(call.func) or "").rpartition(".")[2] or getattr(call.func, "attr", "")
