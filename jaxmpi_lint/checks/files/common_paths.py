"""Parts of paths that are the same on all ranks, as other uses of files in the same code show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.passed_arguments import is_parameter
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some
from jaxmpi_lint.checks.files.effects import FileEffect, FileEffects
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.checks.files.paths import Part


class CommonParts:
    """The common parts in one function, and in the other methods of its class."""

    def __init__(self, function: Function) -> None:
        effects = [*function.get(FileEffects).found, *_of_class(function)]
        self.found = frozenset(part.text for effect in effects for part in _common(effect) if _lasts(part))


def common_parts(function: Function) -> frozenset[str]:
    """The texts of the parts that several ranks have in common."""
    return function.get(CommonParts).found


def _of_class(function: Function) -> Iterator[FileEffect]:
    if function.ir.owner is None:
        return
    for name in function.module_model.class_model(function.ir.owner).ir.methods.values():
        if name != function.ir.qualname:
            yield from function.module_model.function(name).get(FileEffects).direct


def _common(effect: FileEffect) -> tuple[Part, ...]:
    """The parts of a path that one rank uses for all, or that needs the rank to be a path of one rank."""
    if effect.use.together or any(is_for_some(function, block) for function, block, _ in effect.places):
        return effect.form
    own = [part for part in effect.form if _is_of_rank(part)]
    return tuple(part for part in effect.form if part not in own) if own else ()


def _lasts(part: Part) -> bool:
    """Whether it is a computed part that is no element of a loop, which may be different in each iteration."""
    if part.function is None or part.expression is None:
        return False
    names = (node.id for node in ir.walk(part.expression) if isinstance(node, ir.Name))
    return all(_is_settled(part.function, name) for name in names)


def _is_settled(function: Function, name: str) -> bool:
    """Whether a name is no variable of a loop."""
    if is_parameter(function, name) or name == function.self_name or not function.is_local(name):
        return True
    found = visible_definitions(function, name)
    return found is not None and not any(isinstance(value, ir.Element) for value in found[1])


def _is_of_rank(part: Part) -> bool:
    if part.function is None or part.expression is None:
        return False
    return part.function.value(part.expression, part.function.flow.exit).content.level is Level.RANK
