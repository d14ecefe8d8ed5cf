"""Uses of the world in a function that takes a communicator: collectives, and ranks that control communication."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions, expressions_read, terminator_expressions
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Communicator, RankOf, SizeOf, Value
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses, call_of
from jaxmpi_lint.checks.mpi4py.world_reads import WorldRead, names_world, source_of
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.model import Kind, Result
from jaxmpi_lint.library.python.sequences import RANGES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COLLECTIVE = frozenset({Kind.COLLECTIVE, Kind.CONSTRUCTOR})


class WorldUses:
    """The uses of one function; ``own`` is the communicator that it takes."""

    def __init__(self, function: Function, own: OwnCommunicator) -> None:
        self.function = function
        self.own = own

    # --- collectives ---

    def collectives(self) -> Iterator[tuple[int, BoundCall]]:
        """Collectives on the world, each with its block."""
        for block, bound in self._calls:
            operation = bound.operation
            if operation is not None and operation.kind in _COLLECTIVE and _is_world(bound.communicator):
                yield block, bound

    @cached_property
    def frees_own(self) -> bool:
        """Whether the function frees the given communicator; then only the world remains."""
        return any(
            bound.operation is not None and bound.operation.kind is Kind.FREE and self._is_own(bound)
            for _, bound in self._calls
        )

    def handed_on(self, uses: CommunicatorUses) -> Iterator[tuple[BoundCall, ir.Expression, CommunicatorUse]]:
        """Calls of functions of the project that take the world and call a collective on it."""
        for block, step, env in self.function.steps():
            bound = call_of(self.function, step)
            if bound is None or bound.operations or self.has_none(block.index):
                continue
            given = [argument.value for argument in bound.call.args if names_world(argument.value)]
            worlds = [part for part in given if _is_world_entity(self.function.value(part, env).entity)]
            for use in uses.of_call(self.function, bound, env) if worlds else ():
                if use.operation.kind in _COLLECTIVE and _is_world(use.communicator):
                    yield bound, worlds[0], use
                    break

    def _is_own(self, bound: BoundCall) -> bool:
        return self.own.is_meant(bound.communicator)

    @cached_property
    def _calls(self) -> list[tuple[int, BoundCall]]:
        found: dict[ir.Span, tuple[int, BoundCall]] = {}
        for block, bound in self.function.calls_by_block:
            found.setdefault(bound.call.span, (block, bound))
        return list(found.values())

    @cached_property
    def own_calls(self) -> list[BoundCall]:
        """Communication on the given communicator."""
        return [
            bound
            for _, bound in self._calls
            if bound.operation is not None and bound.operation.communicates and self.own.is_meant(bound.communicator)
        ]

    @cached_property
    def _asks_own(self) -> bool:
        """Whether the function queries its rank in the given communicator."""
        return any(
            isinstance(entity, RankOf) and self.own.is_meant(entity.communicator)
            for _, expression, env in self._expressions()
            for node in ir.walk(expression)
            if isinstance(node, (ir.Attribute, ir.Call))
            for entity in (self.function.value(node, env).entity,)
        )

    def has_none(self, block: int) -> bool:
        """Whether a block is reached only where no communicator was given."""
        return any(self._says_none(guard.branch.test, guard.truth) for guard in guards(self.function, block))

    def _says_none(self, test: ir.Expression, truth: bool) -> bool:
        test, truth = ir.strip_not(test, truth)
        if isinstance(test, ir.BooleanOperation):
            return any(self._says_none(operand, truth) for operand in test.operands)
        if isinstance(test, ir.Comparison) and self._names_own(test.operands[0]):
            return (test.operators[0] in ("is", "==")) == truth
        return self._names_own(test) and not truth

    def _names_own(self, expression: ir.Expression) -> bool:
        return ir.dotted(expression) == self.own.text

    # --- ranks ---

    def ranks(self) -> Iterator[WorldRead]:
        """Reads of the world's rank or size that control what happens on the given communicator, in text order."""
        if not self.own_calls and not self._asks_own:
            return
        found: dict[ir.Span, WorldRead] = {}
        for value, node, decides in self._decisions():
            read = source_of(self.function, value, node, decides)
            if read is not None:
                found.setdefault(read.span, read)
        yield from (found[span] for span in sorted(found))

    def _decisions(self) -> Iterator[tuple[Value, ir.Expression, str]]:
        for block, branch, test in self.function.branches():
            if (
                branch.kind in ("for", "while", "comprehension")
                or not _is_world_rank(test)
                or self.has_none(block.index)
            ):
                continue
            if _asks_for_one(self._defined(branch.test)) and self._decides(block.index, branch):
                yield test, branch.test, "decides which rank acts"
        for index, expression, env in self._expressions():
            if self.has_none(index):
                continue
            for node in ir.walk(expression):
                yield from self._of_node(node, env)

    def _of_node(self, node: ir.Expression, env: Environment) -> Iterator[tuple[Value, ir.Expression, str]]:
        match node:
            case ir.Conditional(test=test) if _asks_for_one(test) and self._is_sent(node):
                value = self.function.value(test, env)
                if _is_world_rank(value):
                    yield value, test, "decides which rank's data is sent"
            case ir.Subscript(index=ir.Slice() as index):
                yield from self._parts(index, env, "decides which part of the data a rank processes")
            case ir.Call() if self._splits(node):
                for argument in node.args:
                    yield from self._parts(argument.value, env, "decides which part of the work a rank does")
            case ir.Call():
                yield from self._of_partners(node, env)
            case ir.BinaryOperation(operator=operator, left=left, right=right) if operator in ("//", "%", "/"):
                if self._is_of_size(right, env) and (operator != "/" or self._is_total(left)):
                    yield self.function.value(right, env), right, "decides how large each rank's part is"

    def _splits(self, call: ir.Call) -> bool:
        bound = self.function.bound(call)
        return bound is not None and bound.dotted in RANGES

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
                yield from self._parts(argument, env, "selects the peer of a message")

    def _is_of_size(self, node: ir.Expression, env: Environment) -> bool:
        entity = self.function.value(node, env).entity
        return isinstance(entity, SizeOf) and _is_world(entity.communicator)

    # --- what a test controls ---

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
        """Names of values that one rank sends to all."""
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
        """Names of results that only one rank has."""
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
        """Whether a conditional value is sent from one rank to all."""
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

    def _expressions(self) -> Iterator[tuple[int, ir.Expression, Environment]]:
        for block, step, env in self.function.steps():
            for expression in expressions_read(step):
                yield block.index, expression, env
        for block in self.function.ir.blocks:
            if self.function.flow.entries[block.index] is not None and not isinstance(block.terminator, ir.Jump):
                env = self.function.flow.environment_before(block.index, None)
                for expression in terminator_expressions(block):
                    yield block.index, expression, env


def _is_world(communicator: Communicator | None) -> bool:
    return communicator is not None and communicator.context == WORLD


def _is_world_entity(entity: object) -> bool:
    return isinstance(entity, Communicator) and _is_world(entity)


def _is_world_rank(value: Value) -> bool:
    return value.content.level is Level.RANK and value.content.groups == {WORLD}


def _is_world_number(value: Value) -> bool:
    entity = value.entity
    return (isinstance(entity, (RankOf, SizeOf)) and _is_world(entity.communicator)) or (
        entity is None and _is_world_rank(value)
    )


def _asks_for_one(test: ir.Expression) -> bool:
    """Whether a test selects a single rank; a test for membership selects a set of ranks."""
    test, _ = ir.strip_not(test)
    if isinstance(test, ir.BooleanOperation):
        return all(_asks_for_one(operand) or not isinstance(operand, ir.Comparison) for operand in test.operands)
    if isinstance(test, ir.Comparison):
        if test.operators[0] in ("==", "!="):
            return True
        constants = [o.value for o in test.operands if isinstance(o, ir.Constant)]
        return test.operators[0] in ("<", "<=", ">", ">=") and constants in ([0], [1])
    return isinstance(test, (ir.Name, ir.Attribute, ir.Call))
