"""Directories that are made after a look whether they are there: another process may come in between."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.all_ranks import AllRanks, conjuncts
from jaxmpi_lint.analysis.calls import BoundCall
from jaxmpi_lint.analysis.roles import guards
from jaxmpi_lint.analysis.uses import definitions, visible_definitions
from jaxmpi_lint.analysis.values import Level, Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.evaluate import Environment
    from jaxmpi_lint.analysis.function import FunctionModel

_DEPTH = 4
_MAKERS = frozenset({"os.mkdir", "os.makedirs"})
_LOOKS = frozenset({"os.path.exists", "os.path.isdir", "os.path.lexists"})
_METHODS = frozenset({"exists", "is_dir"})
_CONVERSIONS = frozenset({"str", "Path", "fspath", "PurePath", "expanduser", "abspath", "realpath", "resolve"})
_OWN = re.compile(
    r"(?:^|[^a-z])(?:rank|proc(?:ess)?(?:_?id|_?index)?|pid|hostname|node(?:_?name)?|uuid|"
    r"(?:mkd|get)?te?mp(?:dir|file|_\w+)?|"
    r"TemporaryDirectory|scratch|local|worker|device|thread|task_?id|host|slurm\w*)(?![a-z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DirectoryRace:
    """The call that makes a directory, the test before it, and the name of what is called."""

    bound: BoundCall
    look: ir.Span
    maker: str


def directory_races(function: FunctionModel, everyone: AllRanks) -> Iterator[DirectoryRace]:
    """Directories that all ranks make if they have not seen them."""
    for block in function.ir.blocks:
        if block.handlers:
            continue
        for step in block.steps:
            if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
                bound = function.bound(step.expression)
                place = _made(bound) if bound is not None else None
                look = _look_before(function, block.index, place) if place is not None else None
                if bound is None or place is None or look is None:
                    continue
                if everyone.run(function, block.index, frozenset({look})) and not _is_own(function, place, everyone):
                    yield DirectoryRace(bound, look, bound.dotted or "mkdir")


def _made(bound: BoundCall) -> ir.Expression | None:
    """The directory that a call makes, if the call fails where there is one."""
    call = bound.call
    if any(argument.star or argument.keyword in ("exist_ok", "dir_fd") for argument in call.args):
        return None
    if bound.dotted in _MAKERS:
        return call.argument(0, "name" if bound.dotted == "os.makedirs" else "path") if len(call.args) < 3 else None
    named = isinstance(bound.callee.entity, Named)
    if isinstance(call.func, ir.Attribute) and call.func.attr == "mkdir" and not named and len(call.args) < 3:
        positional = [argument for argument in call.args if argument.keyword is None]
        return None if positional else call.func.value
    return None


def _look_before(function: FunctionModel, block: int, place: ir.Expression) -> ir.Span | None:
    """The test that says a directory is not there yet, on every way to a block."""
    for guard in guards(function, block):
        for condition, truth in conjuncts(guard.branch.test, guard.truth):
            look, seen = _behind_name(function, condition, truth)
            if not seen and isinstance(look, ir.Call) and _looked_at(function, look) == _text(function, place):
                return condition.span
    return None


def _behind_name(function: FunctionModel, condition: ir.Expression, truth: bool) -> tuple[ir.Expression, bool]:
    """The condition that a name stands for."""
    if isinstance(condition, ir.Name):
        values = definitions(function, condition.id)
        if values is not None and len(values) == 1:
            return next(conjuncts(values[0], truth), (condition, truth))
    return condition, truth


def _looked_at(function: FunctionModel, call: ir.Call) -> str | None:
    bound = function.bound(call)
    if bound is not None and bound.dotted in _LOOKS and call.args:
        return _text(function, call.args[0].value)
    if isinstance(call.func, ir.Attribute) and call.func.attr in _METHODS and not call.args:
        return _text(function, call.func.value)
    return None


def _text(function: FunctionModel, place: ir.Expression) -> str:
    """The source of a path, conversions between text and path objects left aside."""
    while isinstance(place, ir.Call):
        name = place.func.attr if isinstance(place.func, ir.Attribute) else ir.dotted(place.func)
        if name not in _CONVERSIONS:
            break
        if len(place.args) == 1:
            place = place.args[0].value
        elif isinstance(place.func, ir.Attribute) and not place.args:
            place = place.func.value
        else:
            break
    return "".join(function.module.source(place.span).split())


# --- whose directory it is ---


def _is_own(function: FunctionModel, place: ir.Expression, everyone: AllRanks, depth: int = 0) -> bool:
    """Whether a path may differ between processes: by rank, host, number of the process or a temporary name."""
    if depth > _DEPTH:
        return True
    env = function.flow.exit
    for node in ir.walk(place):
        if isinstance(node, ir.Constant) and isinstance(node.value, str) and _OWN.search(node.value):
            return True
        if isinstance(node, (ir.Name, ir.Attribute)) and _OWN.search(
            node.id if isinstance(node, ir.Name) else node.attr
        ):
            return True
        if isinstance(node, (ir.Name, ir.Attribute, ir.Call, ir.Subscript)) and _differs(function, node, env):
            return True
        if isinstance(node, ir.Name) and _is_defined_own(function, node.id, everyone, depth):
            return True
        if isinstance(node, ir.Attribute) and _is_field_own(function, node, everyone, depth):
            return True
    return False


def _differs(function: FunctionModel, node: ir.Expression, env: Environment) -> bool:
    return function.value(node, env).content.level in (Level.RANK, Level.LOCAL)


def _is_defined_own(function: FunctionModel, name: str, everyone: AllRanks, depth: int) -> bool:
    if name == function.self_name:
        return False
    if any(parameter.name == name for parameter in function.ir.parameters):
        return _is_given_own(function, name, everyone, depth)
    found = visible_definitions(function, name)
    return found is not None and any(_is_own(found[0], value, everyone, depth + 1) for value in found[1])


def _is_given_own(function: FunctionModel, name: str, everyone: AllRanks, depth: int) -> bool:
    """Whether a caller passes a path of its own."""
    for site in everyone.sites.of(function):
        position = [p.name for p in function.ir.parameters if p.name != function.self_name].index(name)
        argument = site.bound.call.argument(position, name)
        if argument is not None and _is_own(site.caller, argument, everyone, depth + 1):
            return True
    return False


def _is_field_own(function: FunctionModel, node: ir.Attribute, everyone: AllRanks, depth: int) -> bool:
    """Whether a method puts a path of the process's own into a field of ``self``."""
    if function.self_name is None or ir.dotted(node.value) != function.self_name or function.ir.owner is None:
        return False
    model = function.module_model.class_model(function.ir.owner)
    for ancestor in model.linearization:
        for qualname in ancestor.ir.methods.values():
            method = ancestor.module_model.function(qualname)
            for step in method.ir.steps():
                if isinstance(step, ir.Assign) and step.value is not None:
                    names = {(ir.dotted(target) or "").partition(".")[2] for target in step.targets}
                    if node.attr in names and _is_own(method, step.value, everyone, depth + 1):
                        return True
    return False
