"""Tests of job-wide input, equal on all processes: command-line options, environment variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.branch_conditions import deciding_facet
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.limits import UNIFORM_TEST_DEFINITIONS
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.divergence_sources import ENVIRONMENT_READS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_CONVERSIONS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "range", "round", "str"})
_OF_ONE_PROCESS = re.compile(
    r"rank|role|root|master|worker|slave|leader|head|main|chief|proc|node|host|local|index|slot|shard|device|gpu"
    r"|(?:^|_)(?:my|id|me)(?:_|$)",
    re.IGNORECASE,
)
"""Names of options and variables whose values may differ between the processes of a job."""


def is_alike(function: Function, block: int, branch: ir.Branch, test: ir.Expression) -> bool:
    """Whether a test at the end of a block, or a part of it, has one outcome on all processes."""
    env = function.flow.environment_before(block, None)
    facet = deciding_facet(branch, function.value(test, env))
    if facet.level is not Level.UNKNOWN:
        return facet.level is Level.UNIFORM
    if isinstance(test, ir.Element):
        return isinstance(test.iterable, ir.Call) and _is_given(function, test.iterable, env, 0)
    return _is_given(function, test, env, 0)


def _is_given(function: Function, expression: ir.Expression, env: Environment, depth: int) -> bool:
    """Whether an expression consists of uniform values and job-wide input."""
    level = function.value(expression, env).content.level
    if level is not Level.UNKNOWN or depth > UNIFORM_TEST_DEFINITIONS:
        return level is Level.UNIFORM
    match expression:
        case ir.Name(id=name):
            return _is_defined_so(function, name, depth)
        case ir.Attribute(value=ir.Name(id=name), attr=option):
            return not _OF_ONE_PROCESS.search(option) and _holds_options(function, name)
        case ir.Call(func=called, args=arguments):
            dotted = ir.dotted(called) or ""
            if _canonical(function, called, env) in ENVIRONMENT_READS:
                return bool(arguments) and _is_plain(arguments[0].value)
            return dotted in _CONVERSIONS and all(_is_given(function, a.value, env, depth + 1) for a in arguments)
        case ir.Subscript(value=ir.Attribute(attr="environ"), index=index):
            return _is_plain(index)
        case ir.Comparison() | ir.BinaryOperation() | ir.BooleanOperation() | ir.UnaryOperation() | ir.Conditional():
            return all(_is_given(function, part, env, depth + 1) for part in ir.children(expression))
    return False


def _canonical(function: Function, called: ir.Expression, env: Environment) -> str | None:
    bound = function.value(called, env).entity
    return getattr(bound, "dotted", None)


def _is_plain(name: ir.Expression) -> bool:
    """Whether an expression is the name of a variable that does not depend on the process."""
    return isinstance(name, ir.Constant) and isinstance(name.value, str) and not _OF_ONE_PROCESS.search(name.value)


def _is_defined_so(function: Function, name: str, depth: int) -> bool:
    if _OF_ONE_PROCESS.search(name):
        return False
    found = visible_definitions(function, name)
    return found is not None and all(_is_given(found[0], value, found[0].flow.exit, depth + 1) for value in found[1])


def _holds_options(function: Function, name: str) -> bool:
    """Whether a name is the result of ``parse_args()``."""
    found = visible_definitions(function, name)
    return found is not None and all(
        isinstance(value, ir.Call) and isinstance(value.func, ir.Attribute) and value.func.attr == "parse_args"
        for value in found[1]
    )
