"""Assertions that check input, not invariants of the function itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import (
    ClassReference,
    Communicator,
    Compiled,
    FunctionReference,
    Literal,
    ModuleReference,
    Named,
    RankOf,
    SizeOf,
)
from jaxmpi_lint.checks.exits.own_work import has_just_changed
from jaxmpi_lint.library.levels import Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_READING = frozenset({"argv", "environ", "getenv", "input", "open", "parse_args", "parse_known_args", "read_text"})
_READING_STEMS = ("load", "read")
_NEUTRAL = (
    ClassReference, Communicator, Compiled, FunctionReference, Literal, ModuleReference, Named, RankOf, SizeOf,
)  # fmt: skip


def checks_input(function: Function, span: ir.Span) -> bool:
    """Whether an assertion provably checks only arguments of the function, files or data that was read."""
    for block, branch, _ in function.branches():
        if branch.kind == "assert" and branch.extent == span:
            env = function.flow.environment_before(block.index, None)
            if any(function.value(node, env).content.source is Source.FILES for node in ir.walk(branch.test)):
                return not has_just_changed(function, block.index, branch.test)
            inputs = [_is_input(function, name) for name in _names(branch.test) if not _is_neutral(function, name, env)]
            return bool(inputs) and all(inputs)
    return False


def _names(test: ir.Expression) -> Iterator[ir.Name]:
    """The names in a test, except the variables of comprehensions."""
    own = {
        name.id
        for node in ir.walk(test)
        if isinstance(node, ir.Comprehension)
        for generator in node.generators
        for name in ir.walk(generator.target)
        if isinstance(name, ir.Name)
    }
    return (node for node in ir.walk(test) if isinstance(node, ir.Name) and node.id not in own)


def _is_neutral(function: Function, name: ir.Name, env: Environment) -> bool:
    return isinstance(function.value(name, env).entity, _NEUTRAL)


def _is_input(function: Function, name: ir.Name) -> bool:
    parameters = {parameter.name for parameter in function.ir.parameters if parameter.name != function.self_name}
    if name.id in parameters:
        return not function.rebinds(name.id)
    found = visible_definitions(function, name.id)
    return found is not None and all(any(map(_reads, ir.walk(value))) for value in found[1])


def _reads(node: ir.Expression) -> bool:
    name = node.id if isinstance(node, ir.Name) else node.attr if isinstance(node, ir.Attribute) else ""
    return name in _READING or name.startswith(_READING_STEMS)
