"""Where a function that is given a communicator uses the world instead: for collectives, or for ranks that decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.own_communicators import OwnCommunicator, own_communicator
from jaxmpi_lint.analysis.roles import guards
from jaxmpi_lint.analysis.uses import definitions, expressions_read, terminator_expressions
from jaxmpi_lint.analysis.values import WORLD, Communicator, Level, RankOf, SizeOf, Value
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment
    from jaxmpi_lint.analysis.function import FunctionModel

_COLLECTIVE = frozenset({Kind.COLLECTIVE, Kind.CONSTRUCTOR})
_SPLITTING = frozenset({"range", "builtins.range", "numpy.arange", "jax.numpy.arange"})
_OF_WORLD = ("world", "global")


@dataclass(frozen=True, slots=True)
class WorldRead:
    """An expression that reads the rank or size of the world; ``communicator`` is the part that names the world."""

    function: FunctionModel
    span: ir.Span
    communicator: ir.Span | None
    decides: str


class WorldUses:
    """The uses of one function; ``own`` is the communicator that it is given."""

    def __init__(self, function: FunctionModel, own: OwnCommunicator) -> None:
        self.function = function
        self.own = own
        self._module = function.module

    # --- collectives ---

    def collectives(self) -> Iterator[BoundCall]:
        """Collectives on the world."""
        for block, bound in self._calls:
            operation = bound.operation
            if operation is None or operation.kind not in _COLLECTIVE or not _is_world(bound.communicator):
                continue
            if not self._has_none(block):
                yield bound

    @cached_property
    def _calls(self) -> list[tuple[int, BoundCall]]:
        found: dict[ir.Span, tuple[int, BoundCall]] = {}
        for block in self.function.ir.blocks:
            for step in block.steps:
                if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                    bound = self.function.bound(step.expression)
                    if bound is not None:
                        found.setdefault(bound.call.span, (block.index, bound))
        return list(found.values())

    @cached_property
    def own_calls(self) -> list[BoundCall]:
        """Communication on the given communicator."""
        return [
            bound
            for _, bound in self._calls
            if bound.operation is not None and bound.operation.communicates and self.own.is_meant(bound.communicator)
        ]

    def _has_none(self, block: int) -> bool:
        """Whether a block is reached only where no communicator was given."""
        return any(self._says_none(guard.branch.test, guard.truth) for guard in guards(self.function, block))

    def _says_none(self, test: ir.Expression, truth: bool) -> bool:
        if isinstance(test, ir.UnaryOperation) and test.operator == "not":
            return self._says_none(test.operand, not truth)
        if isinstance(test, ir.BooleanOperation):
            return any(self._says_none(operand, truth) for operand in test.operands)
        if isinstance(test, ir.Comparison) and self._names_own(test.operands[0]):
            return (test.operators[0] in ("is", "==")) == truth
        return self._names_own(test) and not truth

    def _names_own(self, expression: ir.Expression) -> bool:
        return ir.dotted(expression) == self.own.text

    # --- ranks ---

    def ranks(self) -> Iterator[WorldRead]:
        """Reads of the world's rank or size that decide what happens on the given communicator, in text order."""
        if not self.own_calls:
            return
        found: dict[ir.Span, WorldRead] = {}
        for value, node, decides in self._decisions():
            read = self._source(value, node, decides)
            if read is not None:
                found.setdefault(read.span, read)
        yield from (found[span] for span in sorted(found))

    def _decisions(self) -> Iterator[tuple[Value, ir.Expression, str]]:
        for block, branch, test in self.function.branches():
            if (
                branch.kind in ("for", "while", "comprehension")
                or not _is_world_rank(test)
                or self._has_none(block.index)
            ):
                continue
            if _asks_for_one(self._defined(branch.test)) and self._decides(block.index, branch):
                yield test, branch.test, "decides which process acts"
        for index, expression, env in self._expressions():
            if self._has_none(index):
                continue
            for node in ir.walk(expression):
                yield from self._of_node(node, env)

    def _of_node(self, node: ir.Expression, env: Environment) -> Iterator[tuple[Value, ir.Expression, str]]:
        match node:
            case ir.Conditional(test=test) if _asks_for_one(test) and self._is_sent(node):
                value = self.function.value(test, env)
                if _is_world_rank(value):
                    yield value, test, "decides whose data are sent"
            case ir.Subscript(index=ir.Slice() as index):
                yield from self._parts(index, env, "decides which part of the data a process has")
            case ir.Call() if self._splits(node):
                for argument in node.args:
                    yield from self._parts(argument.value, env, "decides which part of the work a process has")
            case ir.Call():
                yield from self._of_partners(node, env)
            case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in ("//", "%", "/"):
                if self._is_of_size(right, env) and (operator != "/" or self._is_total(left)):
                    yield self.function.value(right, env), right, "decides how large a share is"

    def _splits(self, call: ir.Call) -> bool:
        bound = self.function.bound(call)
        return bound is not None and bound.dotted in _SPLITTING

    def _parts(self, node: ir.Expression, env: Environment, decides: str) -> Iterator[tuple[Value, ir.Expression, str]]:
        for part in ir.walk(node):
            if isinstance(part, (ir.Name, ir.Attribute, ir.Call)):
                value = self.function.value(part, env)
                if _is_world_number(value):
                    yield value, part, decides

    def _of_partners(self, call: ir.Call, env: Environment) -> Iterator[tuple[Value, ir.Expression, str]]:
        bound = self.function.bound(call)
        if bound is None or bound.operation is None or not self.own.is_meant(bound.communicator):
            return
        for parameter in (bound.operation.source, bound.operation.destination, bound.operation.root):
            argument = bound.argument(parameter)
            if argument is not None:
                yield from self._parts(argument, env, "decides whom a process talks to")

    def _is_of_size(self, node: ir.Expression, env: Environment) -> bool:
        entity = self.function.value(node, env).entity
        return isinstance(entity, SizeOf) and _is_world(entity.communicator)

    # --- what is decided ---

    def _decides(self, index: int, branch: ir.Branch) -> bool:
        graph = self.function.graph
        region = graph.reachable(branch.when_true, index) ^ graph.reachable(branch.when_false, index)
        own = {bound.call.span for bound in self.own_calls}
        for block in region:
            if block >= len(self.function.ir.blocks):
                continue
            for step in self.function.ir.blocks[block].steps:
                if isinstance(step, ir.Evaluate) and step.expression.span in own:
                    return True
                if isinstance(step, ir.Assign) and self._names_of(*step.targets) & self._sent:
                    return True
                if any(self._names_of(expression) & self._kept_by_root for expression in expressions_read(step)):
                    return True
        return False

    @cached_property
    def _sent(self) -> frozenset[str]:
        """Names of what goes from one process to all."""
        return frozenset().union(
            *(
                self._names_of(argument)
                for bound in self.own_calls
                if bound.operation is not None and bound.operation.root is not None
                for argument in map(bound.argument, bound.operation.sends)
                if argument is not None
                and bound.operation.result not in (Result.ROOT, Result.ROOT_ELSE_INPUT)
                and bound.operation.received is not Result.ROOT
            )
        )

    @cached_property
    def _kept_by_root(self) -> frozenset[str]:
        """Names of results that one process alone has."""
        calls = {
            bound.call.span
            for bound in self.own_calls
            if bound.operation is not None and bound.operation.result in (Result.ROOT, Result.ROOT_ELSE_INPUT)
        }
        return frozenset(
            name
            for step in self.function.ir.steps()
            if isinstance(step, ir.Assign) and step.value is not None and step.value.span in calls
            for name in self._names_of(*step.targets)
        )

    @cached_property
    def _totals(self) -> frozenset[str]:
        """Names of sums over the given communicator."""
        return frozenset(
            name
            for step in self.function.ir.steps()
            if isinstance(step, ir.Assign) and step.value is not None and self._is_total(step.value, named=False)
            for name in self._names_of(*step.targets)
        )

    def _is_total(self, node: ir.Expression, named: bool = True) -> bool:
        spans = {b.call.span for b in self.own_calls if b.operation is not None and b.operation.reduction is not None}
        return any(
            part.span in spans or (named and isinstance(part, ir.Name) and part.id in self._totals)
            for part in ir.walk(node)
        )

    def _is_sent(self, node: ir.Conditional) -> bool:
        """Whether a conditional value goes from one process to all."""
        for bound in self.own_calls:
            if any(
                part is node or part.span == node.span
                for argument in bound.call.args
                for part in ir.walk(argument.value)
            ):
                return True
        return any(
            isinstance(step, ir.Assign)
            and step.value is not None
            and step.value.span == node.span
            and bool(self._names_of(*step.targets) & self._sent)
            for step in self.function.ir.steps()
        )

    @staticmethod
    def _names_of(*expressions: ir.Expression) -> set[str]:
        return {node.id for e in expressions for node in ir.walk(e) if isinstance(node, ir.Name)}

    def _defined(self, test: ir.Expression) -> ir.Expression:
        """The comparison that a name stands for."""
        if not isinstance(test, ir.Name):
            return test
        values = definitions(self.function, test.id)
        return values[0] if values is not None and len(values) == 1 and isinstance(values[0], ir.Comparison) else test

    # --- where it is read ---

    def _expressions(self) -> Iterator[tuple[int, ir.Expression, Environment]]:
        for block, step, env in self.function.steps():
            for expression in expressions_read(step):
                yield block.index, expression, env
        for block in self.function.ir.blocks:
            if self.function.flow.entries[block.index] is not None and not isinstance(block.terminator, ir.Jump):
                env = self.function.flow.environment_before(block.index, None)
                for expression in terminator_expressions(block):
                    yield block.index, expression, env

    def _source(self, value: Value, node: ir.Expression, decides: str) -> WorldRead | None:
        """The read that a value comes from; None where its name says that the world is meant."""
        if isinstance(value.entity, SizeOf):
            span = self._size_read(node)
            place = (self.function, span) if span is not None else None
        else:
            reason = value.content.reason
            link = reason.chain()[0] if reason is not None else None
            place = self._place(link.module, link.span) if link is not None else None
        if place is None:
            return None
        reader, span = place
        if reader.ir.kind == "module" or own_communicator(reader) is None:
            reader, span = self.function, node.span
        if self._says_world(reader, span):
            return None
        return WorldRead(reader, span, _communicator_part(reader, span), decides)

    def _size_read(self, node: ir.Expression) -> ir.Span | None:
        if not isinstance(node, ir.Name) or not self.function.is_local(node.id):
            return node.span
        for step in self.function.ir.steps():
            if not isinstance(step, ir.Assign) or step.value is None:
                continue
            for target in step.targets:
                if isinstance(target, ir.Name) and target.id == node.id:
                    return step.value.span
                if isinstance(target, ir.Collection) and isinstance(step.value, ir.Collection):
                    for part, value in zip(target.elements, step.value.elements, strict=False):
                        if isinstance(part, ir.Name) and part.id == node.id:
                            return value.span
        return node.span

    def _place(self, module: ir.Module, span: ir.Span) -> tuple[FunctionModel, ir.Span] | None:
        if module is not self._module:
            return self.function.module_model.body, span
        around = [f for f in module.functions.values() if f.kind != "class" and f.span[0] <= span[0] < f.span[1]]
        if not around:
            return self.function.module_model.body, span
        innermost = min(around, key=lambda f: f.span[1] - f.span[0])
        return self.function.module_model.function(innermost.qualname), span

    def _says_world(self, reader: FunctionModel, span: ir.Span) -> bool:
        """Whether the name that is read, or that the read is assigned to, tells that it belongs to the world."""
        if _communicator_part(reader, span) is None:
            return any(word in reader.module.source(span).lower() for word in _OF_WORLD)
        targets = [
            reader.module.source(target.span).lower()
            for step in reader.ir.steps()
            if isinstance(step, ir.Assign) and step.value is not None
            if any(node.span == span for node in ir.walk(step.value))
            for target in step.targets
        ]
        return any(word in target for target in targets for word in _OF_WORLD)


def _communicator_part(reader: FunctionModel, span: ir.Span) -> ir.Span | None:
    """The part of a read such as ``MPI.COMM_WORLD.rank`` that names the communicator."""
    for step in reader.ir.steps():
        for expression in expressions_read(step):
            found = _receiver(expression, span)
            if found is not None:
                return found
    for block in reader.ir.blocks:
        for expression in terminator_expressions(block):
            found = _receiver(expression, span)
            if found is not None:
                return found
    return None


def _receiver(expression: ir.Expression, span: ir.Span) -> ir.Span | None:
    for node in ir.walk(expression):
        if node.span == span:
            attribute = node.func if isinstance(node, ir.Call) else node
            if isinstance(attribute, ir.Attribute) and names_world(attribute.value):
                return attribute.value.span
    return None


def names_world(expression: ir.Expression) -> bool:
    """Whether an expression names the world itself, not a field or an element that happens to hold it."""
    path = ir.dotted(expression)
    return path is not None and ("." not in path or path.endswith("COMM_WORLD"))


def _is_world(communicator: Communicator | None) -> bool:
    return communicator is not None and communicator.context == WORLD


def _is_world_rank(value: Value) -> bool:
    return value.content.level is Level.RANK and value.content.groups == {WORLD}


def _is_world_number(value: Value) -> bool:
    entity = value.entity
    return (isinstance(entity, (RankOf, SizeOf)) and _is_world(entity.communicator)) or (
        entity is None and _is_world_rank(value)
    )


def _asks_for_one(test: ir.Expression) -> bool:
    """Whether a test singles one process out; a test for membership is about a set of them."""
    if isinstance(test, ir.UnaryOperation) and test.operator == "not":
        return _asks_for_one(test.operand)
    if isinstance(test, ir.BooleanOperation):
        return all(_asks_for_one(operand) or not isinstance(operand, ir.Comparison) for operand in test.operands)
    if isinstance(test, ir.Comparison):
        if test.operators[0] in ("==", "!="):
            return True
        constants = [o.value for o in test.operands if isinstance(o, ir.Constant)]
        return test.operators[0] in ("<", "<=", ">", ">=") and constants in ([0], [1])
    return isinstance(test, (ir.Name, ir.Attribute, ir.Call))
