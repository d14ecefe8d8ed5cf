"""The launchers of the programs that run a function, as stated by scripts and the programs themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.limits import LAUNCHER_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.settings.launch_scripts import Launch, in_text

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module


def launches_of(function: Function) -> list[Launch]:
    """The launches of the function's own file, and of those whose functions lead to it."""
    project = function.project
    names = {PurePath(model.ir.path).stem for model in _programs(function, 0)}
    written = [launch for model in project.modules() for launch in in_text(model.ir.text, PurePath(model.ir.path).name)]
    return [launch for launch in (*project.settings.launches, *written) if launch.program in names]


def _programs(function: Function, depth: int) -> Iterator[Module]:
    yield function.module_model
    if depth < LAUNCHER_CALLERS:
        for site in function.project.get(CallSites).of(function):
            yield from _programs(site.caller, depth + 1)
