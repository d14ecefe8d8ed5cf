"""Comparisons of two names that both have the rank in them: ``f"{case}-{rank}" != f"{start}-{rank}"``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.analysis.lattice.lattice import RankOf
from jaxmpi_lint.analysis.lattice.limits import RANK_VALUE_DEFINITIONS
from jaxmpi_lint.analysis.lattice.value_queries import is_text

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_JOINING = frozenset({"os.path.join", "Path", "pathlib.Path", "str", "os.path.abspath"})


def compares_names_with_rank(function: Function, block: int, test: ir.Expression) -> bool:
    """Whether a test at the end of a block asks if two names are the same, which the rank makes alike on both sides."""
    return _is_alike(function, test, function.flow.environment_before(block, None))


def _is_alike(function: Function, test: ir.Expression, env: Environment) -> bool:
    match test:
        case ir.UnaryOperation(operator="not", operand=operand):
            return _is_alike(function, operand, env)
        case ir.BooleanOperation(operands=operands):
            differing = [one for one in operands if function.value(one, env).content.level.diverges]
            return bool(differing) and all(_is_alike(function, one, env) for one in differing)
        case ir.Comparison(operands=(left, right), operators=("==" | "!=",)):
            return all(_has_rank(function, one, env, ()) for one in (left, right))
    return False


def _has_rank(function: Function, text: ir.Expression, env: Environment, names: tuple[str, ...]) -> bool:
    """Whether a text has the own rank in it, and else nothing that differs between ranks; ``names`` lead to it."""
    match text:
        case ir.Name(id=name):
            return _is_made_so(function, name, names)
        case ir.FormattedString(parts=parts):
            return _is_put_together(function, parts, env, names)
        case ir.Call(func=ir.Attribute(attr="format", value=pattern), args=arguments):
            return _is_put_together(function, (pattern, *(one.value for one in arguments)), env, names)
        case ir.Call(func=called, args=arguments) if ir.dotted(called) in _JOINING:
            return _is_put_together(function, tuple(one.value for one in arguments), env, names)
        case ir.BinaryOperation(operator="%", left=left, right=ir.Collection(elements=elements)):
            return _is_put_together(function, (left, *elements), env, names)
        case ir.BinaryOperation(operator="%", left=left, right=right) if is_text(function.value(left, env)):
            return _is_put_together(function, (left, right), env, names)
        case ir.BinaryOperation(operator="+" | "/", left=left, right=right):
            differing = [one for one in (left, right) if function.value(one, env).content.level.diverges]
            return bool(differing) and all(_has_rank(function, one, env, names) for one in differing)
    return False


def _is_put_together(
    function: Function, parts: tuple[ir.Expression, ...], env: Environment, names: tuple[str, ...]
) -> bool:
    values = [function.value(part, env) for part in parts]
    differing = [(part, value) for part, value in zip(parts, values, strict=True) if value.content.level.diverges]
    return bool(differing) and all(
        isinstance(value.entity, RankOf) or _has_rank(function, part, env, names) for part, value in differing
    )


def _is_made_so(function: Function, name: str, names: tuple[str, ...]) -> bool:
    """Whether the values of a name have the rank, or do not differ; no test of the rank may choose between them."""
    scope: Function | None = function
    while scope is not None and not scope.is_local(name):
        scope = scope.parent
    if scope is None or name in names or len(names) > RANK_VALUE_DEFINITIONS or name in scope.written_inside:
        return False
    given = scope.initial_environment().get(name)
    if given is not None and given.content.level.diverges:
        return False
    found = False
    for block in scope.ir.blocks:
        for step in (one for one in block.steps if name in names_bound(one)):
            if not isinstance(step, ir.Assign) or not any(ir.dotted(target) == name for target in step.targets):
                return False
            if step.value is None or any(guard.test.content.level.diverges for guard in guards(scope, block.index)):
                return False
            env = scope.flow.environment_before(block.index, step)
            if _has_rank(scope, step.value, env, (*names, name)):
                found = True
            elif scope.value(step.value, env).content.level.diverges:
                return False
    return found
