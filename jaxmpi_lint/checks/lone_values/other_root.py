"""Values that one rank computes, and that the broadcast of a different rank then replaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, names_bound, terminator_expressions
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import RankOf
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.interpreter.replacements import MANY, Replacement, Replacements

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class ReplacedByOtherRoot:
    """A broadcast, and the replacement of its value on a rank that is not its root."""

    function: Function
    bound: BoundCall
    replacement: Replacement
    kind: str = "replaced"

    @property
    def place(self) -> Place:
        """The broadcast."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the rank may use the value before it arrives elsewhere."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """What is broadcast."""
        return self.function.module.source(self.replacement.place.span)

    @property
    def method(self) -> str:
        """The collective."""
        return self.bound.known_operation.method

    def steps(self) -> Iterator[Step]:
        """The replacement."""
        yield Step(self.function.module, self.replacement.span, f"one rank computes `{self.text}` here")


def replaced_by_other_root(function: Function) -> Iterator[ReplacedByOtherRoot]:
    """The broadcasts of one function that lose what one rank has computed."""
    if function.ir.is_too_large:
        return
    broadcasts = [(block, one) for block, one in function.calls_by_block if _is_broadcast(one)]
    if not broadcasts:
        return
    made = function.project.get(Replacements).of(function.module.path, function.ir.qualname)
    for at, bound in broadcasts:
        found = next(
            (
                one
                for test, several in sorted(made.items())
                for one in several
                if _is_lost(function, bound, at, test, one)
            ),
            None,
        )
        if found is not None:
            yield ReplacedByOtherRoot(function, bound, found)


def _is_broadcast(bound: BoundCall) -> bool:
    operation = bound.operation
    return operation is not None and operation.event.lower() == "bcast" and bound.communicator is not None


def _is_lost(function: Function, bound: BoundCall, at: int, test: int, one: Replacement) -> bool:
    """Whether the broadcast follows the test, and its root is a different rank than the one that the test selects."""
    sent = bound.argument(bound.known_operation.sends[0]) if bound.known_operation.sends else None
    if isinstance(sent, ir.Collection) and sent.elements:
        sent = sent.elements[0]
    path = ir.dotted(sent) if sent is not None else None
    if (
        path is None
        or path != ir.dotted(one.place)
        or not (bound.known_operation.buffer or _is_kept(function, bound, path))
    ):
        return False
    join = function.graph.immediate_postdominator(test)
    if join >= len(function.ir.blocks) or not _follows(function, join, at, path, bound):
        return False
    return not _is_used(function, test, join, one, path) and _is_other_rank(function, bound, test, one)


def _is_kept(function: Function, bound: BoundCall, path: str) -> bool:
    """Whether the result replaces the value."""
    assigned = (step for step in function.ir.steps() if isinstance(step, ir.Assign) and step.value is bound.call)
    return any([ir.dotted(target) for target in step.targets] == [path] for step in assigned)


def _follows(function: Function, join: int, at: int, path: str, bound: BoundCall) -> bool:
    """Whether the broadcast always comes after the test, and nothing reads or replaces the value before it."""
    graph = function.graph
    if at != join and not graph.always_passes(join, at):
        return False
    between = [step for index in graph.reachable(join, at) for step in function.ir.blocks[index].steps]
    for step in function.ir.blocks[at].steps:
        if any(node is bound.call for node in _nodes(step)):
            break
        between.append(step)
    tests = (one for index in graph.reachable(join, at) for one in terminator_expressions(function.ir.blocks[index]))
    is_tested = any(ir.dotted(node) == path for one in tests for node in ir.walk(one))
    return not is_tested and not any(_touches(step, path) for step in between)


def _nodes(step: ir.Step) -> Iterator[ir.Expression]:
    return (node for part in expressions_read(step) for node in ir.walk(part))


def _touches(step: ir.Step, path: str) -> bool:
    """Whether a step reads or replaces a value."""
    return path in names_bound(step) or _reads(step, path)


def _reads(step: ir.Step, path: str) -> bool:
    """Whether a step reads a value, or calls something with the object that holds it, which may read it."""
    owner, is_field, _ = path.partition(".")
    for node in _nodes(step):
        if ir.dotted(node) == path:
            return True
        if is_field and isinstance(node, ir.Call):
            handed = [node.func, *(argument.value for argument in node.args)]
            named = {ir.dotted(one) for part in handed for one in ir.walk(part)}
            if owner in named and not _is_of_other_field(node, path):
                return True
    return False


def _is_of_other_field(call: ir.Call, path: str) -> bool:
    """Whether a call is of a method of another field, as ``self.comm.Barrier()``: it does not read this one."""
    names = (ir.dotted(call.func) or "").split(".")
    return len(names) > len(path.split(".")) and not call.args


def _is_used(function: Function, test: int, join: int, one: Replacement, path: str) -> bool:
    """Whether the rank uses its value on the side of the test that computes it."""
    branch = function.ir.blocks[test].terminator
    if not isinstance(branch, ir.Branch):
        return True
    inside = function.graph.reachable(branch.when_true if one.outcome else branch.when_false, join)
    steps = [step for index in inside for step in function.ir.blocks[index].steps if step.span > one.span]
    return any(_reads(step, path) for step in steps)


def _is_other_rank(function: Function, bound: BoundCall, test: int, one: Replacement) -> bool:
    """Whether the root is surely a different rank, or a constant where the rank is one that the program chooses."""
    branch = function.ir.blocks[test].terminator
    assert isinstance(branch, ir.Branch) and bound.communicator is not None
    groups = bound.communicator.groups
    if function.flow.tests[test].content.groups != groups:
        return False
    env = function.flow.environment_before(test, None)
    members = [OneRank(Member(rank, MANY, groups)) for rank in range(MANY)]
    outcomes = [member.decide(function, branch.test, env) for member in members]
    given = bound.argument(bound.known_operation.root) if bound.known_operation.root else None
    roots = {0} if given is None else {member.number(function, given, env) for member in members}
    if None not in outcomes:
        chosen = {rank for rank, outcome in enumerate(outcomes) if outcome is one.outcome}
        return len(chosen) == 1 and len(roots) == 1 and None not in roots and not roots <= chosen
    is_constant = given is None or isinstance(given, ir.Constant)
    return is_constant and one.outcome and _is_chosen_rank(function, branch.test, env, bound)


def _is_chosen_rank(function: Function, test: ir.Expression, env: Environment, bound: BoundCall) -> bool:
    """Whether a test compares the rank with a number that the program chooses.

    Parameters, and fields that hold one, count only without a default, which may be the root.
    """
    match test:
        case ir.Comparison(operands=(left, right), operators=("==",)):
            for rank, number in ((left, right), (right, left)):
                entity = function.value(rank, env).entity
                if isinstance(entity, RankOf) and bound.communicator is not None:
                    is_same = entity.communicator.groups == bound.communicator.groups
                    return is_same and not any(_has_default(scope, one) for scope, one in _origins(function, number))
    return False


def _origins(function: Function, number: ir.Expression) -> Iterator[tuple[Function, ir.Expression]]:
    """A number, and what the methods of the class assign to it if it is a field."""
    yield function, number
    path = ir.dotted(number)
    if not isinstance(number, ir.Attribute) or path is None:
        return
    for other in function.module_model.functions():
        for step in other.ir.steps():
            if isinstance(step, ir.Assign) and step.value is not None and path in map(ir.dotted, step.targets):
                yield other, step.value


def _has_default(scope: Function, number: ir.Expression) -> bool:
    names = {ir.dotted(node) for node in ir.walk(number)}
    return any(one.name in names and one.default is not None for one in scope.ir.parameters)
