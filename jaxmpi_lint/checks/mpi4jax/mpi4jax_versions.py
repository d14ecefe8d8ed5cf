"""The mpi4jax generation that a project targets, and code that supports more than one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import terminator_expressions
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.library.model import Operation, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

WITHOUT_TOKENS = (0, 8)
"""First release in which operations return only the array and reject ``token=``."""

_VERSION_WORDS = re.compile(
    r"(?<![a-z])version|(?:has|use|uses|with|need|needs|support|supports)_?tokens?(?![a-z])|token_?api|legacy|(?:old|new)_?api|notoken"
    r"|signature",
    re.IGNORECASE,
)
_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})
_ASKING = frozenset({"isinstance", "type", "len", "hasattr"})
_NOTOKEN = re.compile(r"^mpi4jax\.(?:experimental\.)?notoken\.")


def takes_tokens(project: Program) -> bool:
    """Whether the project targets mpi4jax before 0.8; an unknown release is taken as the newest."""
    target = project.settings.targets.get("mpi4jax")
    return target is not None and target < WITHOUT_TOKENS


def is_mpi4jax_itself(project: Program) -> bool:
    """Whether the project contains a copy of mpi4jax, whose code and tests define its interface."""
    return "mpi4jax" in project.packages


def tokens_decide_the_order(project: Program) -> bool:
    """Whether only tokens order the operations: 0.7 with JAX 0.5 or later ignores them."""
    jax = project.settings.targets.get("jax")
    mpi4jax = project.settings.targets.get("mpi4jax", WITHOUT_TOKENS)
    return takes_tokens(project) and not (jax is not None and jax >= (0, 5) and mpi4jax >= (0, 7))


def token_operation(function: Function, bound: BoundCall) -> Operation | None:
    """The newest catalogue entry of an mpi4jax operation that takes or took a token; None for any other call."""
    entity = bound.callee.entity
    if not isinstance(entity, Named) or not entity.dotted.startswith("mpi4jax.") or _NOTOKEN.match(entity.dotted):
        return None
    history = function.project.catalogue.history(entity.dotted)
    return history[-1] if any("token" in entry.parameters for entry in history) else None


def first_generation(function: Function, operation: Operation) -> Operation:
    """The entry of an operation in the releases in which every argument could be positional."""
    return function.project.catalogue.history(operation.name)[0]


def returns_array(operation: Operation) -> bool:
    """Whether an operation returns a result in addition to the token."""
    return operation.result is not Result.NONE


def serves_several_generations(function: Function) -> bool:
    """Whether a function tests the mpi4jax version, so that no arm of it is for one release only.

    A version test in the function or around it counts, a fallback in an exception handler that calls mpi4jax as well,
    and a test that expects the exception.
    """
    if _asks_for_version(function) or expects_exception(function) or _falls_back(function):
        return True
    scope = function.module_model.body
    return any(
        branch.extent[0] <= function.ir.span[0] and function.ir.span[1] <= branch.extent[1]
        for branch in _version_tests(scope)
        if function is not scope
    )


def inside_version_test(function: Function, span: ir.Span) -> bool:
    """Whether a statement of the module body is in an arm of a version test."""
    return any(branch.extent[0] <= span[0] and span[1] <= branch.extent[1] for branch in _version_tests(function))


def _asks_for_version(function: Function) -> bool:
    return function.ir.kind != "module" and bool(_version_tests(function))


def _version_tests(function: Function) -> list[ir.Branch]:
    return [
        block.terminator
        for block in function.ir.blocks
        if isinstance(block.terminator, ir.Branch) and _tests_version(function, block.terminator.test)
    ]


def _tests_version(function: Function, test: ir.Expression) -> bool:
    for node in ir.walk(test):
        if isinstance(node, (ir.Name, ir.Attribute, ir.Call)) and _VERSION_WORDS.search(ir.dotted(node) or ""):
            return True
        asks = isinstance(node, ir.Call) and ir.dotted(node.func) in ("hasattr", "getattr")
        if asks and "mpi4jax" in function.module.source(node.span):
            return True
    return False


def expects_exception(function: Function) -> bool:
    """Whether a function tests that something raises."""
    return any(
        isinstance(step, ir.Enter)
        and isinstance(step.context, ir.Call)
        and (ir.dotted(step.context.func) or "").rpartition(".")[2] in _EXPECTING
        for step in function.ir.steps()
    )


def _falls_back(function: Function) -> bool:
    blocks = function.ir.blocks
    for block in blocks:
        if not block.handlers or not any(_calls_mpi4jax(function, step) for step in block.steps):
            continue
        normal = _reach(blocks, block.successors)
        for handler in block.handlers:
            if any(_calls_mpi4jax(function, s) for i in _reach(blocks, (handler,)) - normal for s in blocks[i].steps):
                return True
    return False


def _reach(blocks: list[ir.Block], starts: tuple[int, ...]) -> set[int]:
    seen, pending = set(starts), list(starts)
    while pending:
        for target in blocks[pending.pop()].successors:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return seen


def _calls_mpi4jax(function: Function, step: ir.Step) -> bool:
    if not isinstance(step, ir.Evaluate) or not isinstance(step.expression, ir.Call):
        return False
    bound = function.bound(step.expression)
    entity = bound.callee.entity if bound is not None else None
    return isinstance(entity, Named) and entity.dotted.startswith("mpi4jax.")


def is_told_apart(function: Function, name: str) -> bool:
    """Whether a function tests a variable for being a pair of the old interface or an array of the new one."""
    expressions = [test for block in function.ir.blocks for test in terminator_expressions(block)]
    for block in function.ir.blocks:
        expressions += [step.expression for step in block.steps if isinstance(step, ir.Evaluate)]
    for expression in expressions:
        for node in ir.walk(expression):
            asks = isinstance(node, ir.Call) and ir.dotted(node.func) in _ASKING
            if asks and any(isinstance(part, ir.Name) and part.id == name for part in ir.children(node)[1:]):
                return True
    return False
