"""`importlib`: modules that are imported by their names, as those of plug-ins are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import imports
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.values import Library, ModuleValue, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _import_module(rank: Rank, arguments: Arguments) -> Running:
    """``import_module(name, package)``; a name that starts with a dot is one of the package."""
    name, package = arguments.get(0, "name"), arguments.get(1, "package")
    if isinstance(name, str) and name.startswith("."):
        name = package + name if isinstance(package, str) else None
    if not isinstance(name, str) or not name:
        return rank.symbol("call", Library("importlib.import_module"), *arguments.every())
    result: Value = yield from imports.imported(rank, rank.frames[-1].scope.module.ir, name)
    return result if isinstance(result, (ModuleValue, Library)) else rank.symbol("module", name)


FUNCTIONS: dict[str, Any] = {"importlib.import_module": _import_module}
