"""Values that are broadcast, and that one rank then replaces before all ranks read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference
from jaxmpi_lint.checks.lone_values.guarding import is_for_role, is_of_role
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.interpreter.replacements import Replacement, Replacements
from jaxmpi_lint.library.model import Kind, Result
from jaxmpi_lint.library.python.file_operations import OPENINGS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ReplacedAfterBroadcast:
    """A replacement, the broadcast before it, and the first read by all ranks."""

    function: Function
    replacement: Replacement
    broadcast: ir.Span
    read: Place

    @property
    def place(self) -> Place:
        """The replacement."""
        return Place(self.function.module, self.replacement.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the old value may be meant for the other ranks."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """What is replaced."""
        return self.function.module.line(self.replacement.place.span)

    def steps(self) -> Iterator[Step]:
        """The broadcast and the read."""
        yield Step(self.function.module, self.broadcast, "equal on all ranks after this broadcast")
        yield Step(self.read.module, self.read.span, "all ranks read it here")


def replaced_after_broadcast(function: Function) -> Iterator[ReplacedAfterBroadcast]:
    """The replacements of one function; one for each place."""
    broadcasts = list(_broadcasts(function))
    if not broadcasts or function.ir.is_too_large or is_of_role(function):
        return
    done: set[str] = set()
    made = function.project.get(Replacements).of(function.module.path, function.ir.qualname)
    for block, replacements in sorted(made.items()):
        for one in replacements:
            text = function.module.source(one.place.span)
            before = next((span for name, at, span in broadcasts if _is_before(function, one, name, at, block)), None)
            if before is None or text in done or not one.is_own or one.has_default or _is_handle(function, one):
                continue
            read = None if _is_sent(function, one, block) else _read_by_all(function, one, block)
            if read is not None:
                done.add(text)
                yield ReplacedAfterBroadcast(function, one, before, read)


def _broadcasts(function: Function) -> Iterator[tuple[str, int, ir.Span]]:
    """The names that are given what a root sends, with block and call."""
    spans = {bound.call.span for bound in function.operation_calls if _spreads(bound)}
    for block in function.ir.blocks if spans else ():
        for step in block.steps:
            match step:
                case ir.Assign(targets=(ir.Name(id=name),), value=ir.Call(span=span)) if span in spans:
                    yield name, block.index, span


def _spreads(bound: BoundCall) -> bool:
    operation = bound.known_operation
    return operation.kind is Kind.COLLECTIVE and operation.result is Result.SAME and operation.root is not None


def _root(place: ir.Expression) -> str:
    while isinstance(place, (ir.Attribute, ir.Subscript)):
        place = place.value
    return place.id if isinstance(place, ir.Name) else ""


def _is_before(function: Function, one: Replacement, name: str, at: int, block: int) -> bool:
    return _root(one.place) == name and (at == block or block in function.graph.reachable(at))


def _is_handle(function: Function, one: Replacement) -> bool:
    """Whether the new value is an open file, which one rank has on purpose."""
    names = {name.removeprefix("builtins.") for name in OPENINGS}
    return any(
        bound.dotted in names and step.span == one.span and step.value is bound.call
        for step in function.ir.steps()
        if isinstance(step, ir.Assign)
        for bound in function.calls()
    )


def _is_sent(function: Function, one: Replacement, block: int) -> bool:
    """Whether the new value, or the object that holds it, is communicated afterwards."""
    after = function.graph.reachable(block) - {block}
    given = [
        argument.value
        for index, bound in function.calls_by_block
        if index in after and _may_spread(function, bound)
        for argument in bound.call.args
    ]
    return any(ir.dotted(node) == _root(one.place) for value in given for node in ir.walk(value))


def _may_spread(function: Function, bound: BoundCall) -> bool:
    """Whether a call is one of MPI, runs a function that communicates, or takes a communicator."""
    entity = bound.callee.entity
    if bound.operations or not isinstance(entity, FunctionReference):
        given = [argument.value for argument in bound.call.args]
        return bool(bound.operations) or any(isinstance(_entity(function, one), Communicator) for one in given)
    return function.project.summaries.function_may_communicate(entity.key)


def _entity(function: Function, expression: ir.Expression) -> object:
    return function.value(expression, function.flow.exit).entity if ir.dotted(expression) is not None else None


def _read_by_all(function: Function, one: Replacement, block: int) -> Place | None:
    """The first read after the branch that no test of a role guards; of a module, in its functions too."""
    meeting = function.graph.immediate_postdominator(block)
    after = {meeting, *function.graph.reachable(meeting)} if meeting < len(function.ir.blocks) else set()
    scopes = [(function, after)]
    if function.ir.kind == "module":
        others = [other for other in function.module_model.functions() if other.ir.kind != "module"]
        scopes += [(other, set(range(len(other.ir.blocks)))) for other in others if _is_seen(other, one)]
    for scope, blocks in scopes:
        for index in sorted(blocks):
            span = _read_in(scope, one, index) if index < len(scope.ir.blocks) else None
            if span is not None and not is_for_role(scope, index, one.place):
                return Place(scope.module, span)
    return None


def _is_seen(other: Function, one: Replacement) -> bool:
    return not other.is_local(_root(one.place)) and not is_of_role(other)


def _read_in(scope: Function, one: Replacement, index: int) -> ir.Span | None:
    block = scope.ir.blocks[index]
    if scope.flow.entries[index] is None:
        return None
    read = [part for step in block.steps for part in expressions_read(step)] + list(terminator_expressions(block))
    nodes = (node for part in read for node in ir.walk(part))
    return next((node.span for node in nodes if _is_same(node, one.place)), None)


def _is_same(node: ir.Expression, place: ir.Expression) -> bool:
    if isinstance(place, ir.Subscript) and isinstance(node, ir.Subscript):
        keys = (node.index, place.index)
        same = all(isinstance(key, ir.Constant) for key in keys)
        return same and ir.dotted(node.value) == ir.dotted(place.value) and _value(keys[0]) == _value(keys[1])
    return ir.dotted(place) is not None and ir.dotted(node) == ir.dotted(place)


def _value(key: ir.Expression) -> object:
    return key.value if isinstance(key, ir.Constant) else None
