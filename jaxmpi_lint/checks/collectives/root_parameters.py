"""Parameters that specify the root, and how a function uses them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, nested_functions, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Literal, RankOf

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_NAMES = frozenset(
    {
        "bcast_root", "master_rank", "mpi_root", "reduce_root", "root", "root_id", "root_index", "root_proc",
        "root_process", "root_rank", "rootid", "rootrank", "source_rank", "src_rank",
    }
)  # fmt: skip


def is_named_root(name: str) -> bool:
    """Whether a parameter has a name for the root of a collective."""
    return name.lower() in _NAMES


@dataclass(slots=True)
class RootUses:
    """How one parameter is used: as a root, in comparisons with a rank or a number, otherwise.

    ``contexts`` are those of the communicators in which it is a rank; ``from_root`` has the directions of the
    collectives that have it as their root; ``origin`` is the first place with either.
    """

    contexts: set[str] = field(default_factory=set)
    ranks: set[str] = field(default_factory=set)
    numbers: bool = False
    messages: bool = False
    may_be_none: bool = False
    from_root: set[bool] = field(default_factory=set)
    handed_on: bool = False
    reads: set[ir.Span] = field(default_factory=set)
    explained: set[ir.Span] = field(default_factory=set)
    origin: ir.Span | None = None
    rebound: bool = False

    @property
    def otherwise(self) -> bool:
        """Whether it is used in a way that does not show its meaning."""
        return bool(self.reads - self.explained)


class RootParameter:
    """One parameter of a function; reads in nested functions count."""

    def __init__(self, function: Function, parameter: ir.Parameter) -> None:
        self.function = function
        self.parameter = parameter
        self.uses = RootUses()
        self.uses.may_be_none = isinstance(parameter.default, ir.Constant) and parameter.default.value is None
        self._names = {parameter.name} | set(_derived(function, parameter.name))
        self._tests: set[str] = set()
        for member in _members(function, parameter.name):
            self._collect(member)

    # --- reading ---

    def mentions(self, expression: ir.Expression) -> bool:
        """Whether an expression reads the parameter, or a name computed from it."""
        return any(isinstance(node, ir.Name) and node.id in self._names for node in ir.walk(expression))

    def _collect(self, member: Function) -> None:
        for block, step, env in member.steps():
            for expression in expressions_read(step):
                self._note(member, expression, env)
            if isinstance(step, ir.Assign):
                self._note_targets(step)
            elif isinstance(step, ir.AugmentedAssign) and ir.dotted(step.target) == self.parameter.name:
                self.uses.rebound = True
            if step is block.steps[-1]:
                self._note_end(member, block)
        for block in member.ir.blocks:
            if not block.steps and member.flow.entries[block.index] is not None:
                self._note_end(member, block)

    def _note_end(self, member: Function, block: ir.Block) -> None:
        env = member.flow.environment_before(block.index, None)
        for expression in terminator_expressions(block):
            self._note(member, expression, env)

    def _note_targets(self, step: ir.Assign) -> None:
        names = {node.id for target in step.targets for node in ir.walk(target) if isinstance(node, ir.Name)}
        if self.parameter.name in names:
            self.uses.rebound = True
        if step.value is not None and names & (self._names - {self.parameter.name}) and self.mentions(step.value):
            self.uses.explained |= {node.span for node in ir.walk(step.value)}

    def _note(self, member: Function, expression: ir.Expression, env: Environment) -> None:
        for node in ir.walk(expression):
            if isinstance(node, ir.Name) and node.id in self._names:
                self.uses.reads.add(node.span)
            elif isinstance(node, ir.Comparison):
                self._note_comparison(member, node, env)
            elif isinstance(node, ir.Call):
                self._note_call(member, node)

    def _note_comparison(self, member: Function, node: ir.Comparison, env: Environment) -> None:
        if len(node.operands) != 2 or not any(self.mentions(operand) for operand in node.operands):
            return
        if node.operators[0] in ("is", "is not"):
            self.uses.may_be_none = True
        other = node.operands[1] if self.mentions(node.operands[0]) else node.operands[0]
        entity = member.value(other, env).entity
        if isinstance(entity, RankOf):
            self._is_rank(entity.communicator.context, node.span)
            self.uses.ranks.add(entity.communicator.context)
        elif isinstance(entity, Literal) and entity.value is not None:
            self.uses.numbers = True
        elif "rank" not in (ir.dotted(other) or ""):
            return
        self._explain(node)

    def _note_call(self, member: Function, node: ir.Call) -> None:
        bound = member.bound(node)
        operation = bound.operation if bound is not None else None
        if bound is None or operation is None:
            for argument in node.args:
                if argument.keyword is not None and is_named_root(argument.keyword) and self.mentions(argument.value):
                    self.uses.handed_on = True
                    self._explain(argument.value)
            return
        root = bound.argument(operation.root)
        if root is not None and self.mentions(root):
            self._is_rank(bound.communicator.context if bound.communicator is not None else "", root.span)
            self.uses.from_root.add(is_from_root(bound))
            self._explain(root)
        for parameter in (operation.source, operation.destination):
            partner = bound.argument(parameter)
            if partner is not None and self.mentions(partner):
                self.uses.messages = True

    def _is_rank(self, context: str, span: ir.Span) -> None:
        self.uses.contexts.add(context)
        if self.uses.origin is None:
            self.uses.origin = span

    def _explain(self, node: ir.Expression) -> None:
        self.uses.explained |= {part.span for part in ir.walk(node)}

    # --- code that only the root executes ---

    def is_own_work(self, function: Function, call: ir.Call, sent: tuple[ir.Expression, ...]) -> bool:
        """Whether the rank given by the parameter creates, or reads before the call, the data that it sends."""
        if any(self._chooses(function, node) for expression in sent for node in ir.walk(expression)):
            return True
        names = {node.id for expression in sent for node in ir.walk(expression) if isinstance(node, ir.Name)}
        at = _block_of(function, call)
        before = [block for block in self._root_blocks(function) if at in function.graph.reachable(block)]
        return any(self._handles(function, block, names) for block in before) or any(
            isinstance(step, ir.Assign)
            and isinstance(step.value, ir.Conditional)
            and self._is_root_test(function, step.value.test)
            and names & {ir.dotted(target) for target in step.targets}
            for step in function.ir.steps()
        )

    def is_used_by_root(self, function: Function, call: ir.Call, received: tuple[ir.Expression, ...]) -> bool:
        """Whether the rank given by the parameter reads the result that a call returns on its root."""
        names = {ir.dotted(expression) for expression in received} - {None}
        for step in function.ir.steps():
            if isinstance(step, ir.Assign) and step.value is call:
                names |= {ir.dotted(target) for target in step.targets}
        following = function.graph.reachable(_block_of(function, call))
        return any(
            node.id in names
            for block in self._root_blocks(function) & following
            for expression in _block_reads(function.ir.blocks[block])
            for node in ir.walk(expression)
            if isinstance(node, ir.Name)
        )

    def _chooses(self, function: Function, node: ir.Expression) -> bool:
        return isinstance(node, ir.Conditional) and self._is_root_test(function, node.test)

    def _root_blocks(self, function: Function) -> set[int]:
        """Blocks that only the rank given by the parameter reaches."""
        found: set[int] = set()
        for block, branch, _ in function.branches():
            if not self._is_root_test(function, branch.test):
                continue
            yes = function.graph.reachable(branch.when_true, block.index)
            no = function.graph.reachable(branch.when_false, block.index)
            found |= (no - yes) if _is_negative(branch.test) else (yes - no)
        return {block for block in found if block < len(function.ir.blocks)}

    def _handles(self, function: Function, index: int, names: set[str]) -> bool:
        """Whether a block assigns one of the names, or reads one if the parameter is named like a root."""
        block = function.ir.blocks[index]
        touched = [target for step in block.steps if isinstance(step, ir.Assign) for target in step.targets]
        if is_named_root(self.parameter.name):
            touched += _block_reads(block)
        return any(isinstance(node, ir.Name) and node.id in names for e in touched for node in ir.walk(e))

    def _is_root_test(self, function: Function, test: ir.Expression) -> bool:
        stripped, _ = ir.strip_not(test)
        if isinstance(stripped, ir.Name):
            return any(
                isinstance(step, ir.Assign)
                and step.value is not None
                and [ir.dotted(target) for target in step.targets] == [stripped.id]
                and self._is_equality(step.value)
                for step in function.ir.steps()
            )
        if isinstance(stripped, ir.BooleanOperation):
            return stripped is test and any(self._is_equality(operand) for operand in stripped.operands)
        return self._is_equality(stripped)

    def _is_equality(self, test: ir.Expression) -> bool:
        return (
            isinstance(test, ir.Comparison)
            and test.operators[0] in ("==", "!=")
            and len(test.operators) == 1
            and test.span in self.uses.explained
            and not self.uses.numbers
            and self.mentions(test)
        )


def _block_of(function: Function, call: ir.Call) -> int:
    return next(
        block.index
        for block in function.ir.blocks
        for step in block.steps
        if isinstance(step, ir.Evaluate) and step.expression.span == call.span
    )


def _is_negative(test: ir.Expression) -> bool:
    inner, truth = ir.strip_not(test)
    return truth == (isinstance(inner, ir.Comparison) and inner.operators[0] == "!=")


def _block_reads(block: ir.Block) -> Iterator[ir.Expression]:
    for step in block.steps:
        yield from expressions_read(step)
    yield from terminator_expressions(block)


def _members(function: Function, name: str) -> Iterator[Function]:
    """A function and the nested functions that can read its parameter."""
    yield function
    for nested in nested_functions(function):
        member = function.module_model.function(nested.qualname)
        if not member.is_local(name):
            yield member


def _derived(function: Function, name: str) -> Iterator[str]:
    """Names of numbers computed from a parameter."""
    for step in function.ir.steps():
        match step:
            case ir.Assign(
                targets=(ir.Name(id=derived),), value=ir.Name() | ir.BinaryOperation() | ir.Conditional() as value
            ) if derived != name:
                parts = list(ir.walk(value))
                compares = any(isinstance(node, ir.Comparison) for node in parts)
                if not compares and any(isinstance(node, ir.Name) and node.id == name for node in parts):
                    yield derived


def compares_rank_with(function: Function, communicator: Communicator, number: int) -> bool:
    """Whether a function tests the rank in a communicator for a given number."""
    rank, literal = RankOf(communicator), Literal.of(number)
    for block, branch, _ in function.branches():
        env = function.flow.environment_before(block.index, None)
        bare = branch.test.operand if isinstance(branch.test, ir.UnaryOperation) else branch.test
        if number == 0 and function.value(bare, env).entity == rank:
            return True
        for node in ir.walk(branch.test):
            if isinstance(node, ir.Comparison):
                entities = [function.value(operand, env).entity for operand in node.operands]
                if rank in entities and literal in entities:
                    return True
    return False


def is_from_root(bound: BoundCall) -> bool:
    """Whether the data go from the root to the others, not to the root."""
    return any(word in bound.known_operation.method.lower() for word in ("bcast", "scatter"))


def sent_and_received(bound: BoundCall) -> tuple[tuple[ir.Expression, ...], tuple[ir.Expression, ...]]:
    """The arguments whose data a call sends, and those that it fills."""
    sent = tuple(e for e in map(bound.argument, bound.known_operation.sends) if e is not None)
    received = tuple(e for e in map(bound.argument, bound.known_operation.receives) if e is not None)
    return sent, received
