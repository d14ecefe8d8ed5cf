"""The fix for a name that one rank has bound: bind it to None before the test, and broadcast it after the test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.conditions.rank_facts import RankTest, rank_test_of
from jaxmpi_lint.checks.lone_values.unbound_reads import UnboundRead
from jaxmpi_lint.findings.diagnostics import Applicability
from jaxmpi_lint.findings.model import Repair
from jaxmpi_lint.library.python.unpicklable import OF_PROCESS
from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending, with_comment

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_RANKS = frozenset({"rank", "Get_rank"})


def broadcast_name(found: UnboundRead) -> Repair | None:
    """The fix; None if the ranks on the binding side are not one rank, the value cannot be sent, or a loop is left."""
    function, module, branch = found.function, found.function.module, found.branch
    root, communicator = _root(found), _communicator(found)
    if root is None or communicator is None or not _can_be_sent(function, found.text) or _leaves_loop(found):
        return None
    before = branch.extent[0]
    statement = before, before + len(module.source(branch.extent).rstrip())
    outer = indentation(module, statement)
    if outer.strip() or not alone_on_line(module, statement) or not module.source(statement).startswith("if"):
        return None
    end = with_comment(module, statement)[1]
    row = f"{line_ending(module)}{outer}"
    edits = (
        ((before, before), f"{found.text} = None{row}"),
        ((end, end), f"{row}{found.text} = {communicator}.bcast({found.text}, root={root})"),
    )
    return Repair(Applicability.UNSAFE, f"broadcast `{found.text}` after the test", edits)


def _leaves_loop(found: UnboundRead) -> bool:
    """Whether the name is read after a loop around the test, in which the fix would broadcast every time."""
    loops = found.function.loops_around(found.branch.span)
    return any(not loop.extent[0] <= found.name.span[0] < loop.extent[1] for _, loop in loops)


def _root(found: UnboundRead) -> int | None:
    """The only rank that takes the side which binds the name."""
    _, truth = ir.strip_not(found.branch.test, found.is_bound_if_true)
    test = _rank_test(found)
    fact = test.fact(truth) if test is not None else None
    return fact.number if fact is not None and fact.equal else None


def _rank_test(found: UnboundRead) -> RankTest | None:
    test, _ = ir.strip_not(found.branch.test, truth=True)
    return rank_test_of(found.function, found.block, test)


def _communicator(found: UnboundRead) -> str | None:
    """The communicator whose rank is tested, as it is written, if the name has the same meaning at the test."""
    function, test = found.function, _rank_test(found)
    env = function.flow.environment_before(found.block, None)
    for node in ir.walk(found.branch.test):
        for holder in _holders(function, node):
            if ir.dotted(holder) and test is not None and function.value(holder, env).entity == test.communicator:
                return ir.dotted(holder)
    return None


def _holders(function: Function, node: ir.Expression, depth: int = 2) -> list[ir.Expression]:
    """The objects whose rank an expression is."""
    match node:
        case ir.Attribute(value=value, attr=attr) if attr in _RANKS:
            return [value]
        case ir.Call(func=ir.Attribute(value=value, attr=attr), args=()) if attr in _RANKS:
            return [value]
        case ir.Name(id=name) if depth:
            scope = function if function.is_local(name) else function.module_model.body
            values = [value for step in scope.ir.steps() for value in _assigned(step, name)]
            return _holders(function, values[0], depth - 1) if len(values) == 1 else []
    return []


def _assigned(step: ir.Step, name: str) -> Iterator[ir.Expression]:
    """The values that a step assigns to a name, also as one of several."""
    if not isinstance(step, ir.Assign):
        return
    for target in step.targets:
        match target, step.value:
            case ir.Name(id=other), ir.Expression() as value if other == name:
                yield value
            case ir.Collection(elements=names), ir.Collection(elements=values) if len(names) == len(values):
                pairs = zip(names, values, strict=True)
                yield from (value for one, value in pairs if isinstance(one, ir.Name) and one.id == name)


def _can_be_sent(function: Function, name: str) -> bool:
    """Whether assignments alone bind a name, and none of them an object that belongs to one process."""
    binding = [step for step in function.ir.steps() if name in names_bound(step)]
    return all(
        isinstance(step, ir.Assign) and step.value is not None and not _is_of_process(function, step.value)
        for step in binding
    )


def _is_of_process(function: Function, value: ir.Expression) -> bool:
    """Whether a value cannot be pickled: an open file, a lock, a generator, a function without a name."""
    match value:
        case ir.Lambda() | ir.Entered() | ir.Caught() | ir.Element() | ir.Comprehension(kind="generator"):
            return True
        case ir.Call(func=func):
            bound = function.bound(value)
            dotted = (bound.dotted if bound is not None else None) or ir.dotted(func) or ""
            return dotted.removeprefix("builtins.").rpartition(".")[2] in OF_PROCESS
    return False
