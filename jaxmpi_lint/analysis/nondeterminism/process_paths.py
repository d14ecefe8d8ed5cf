"""Paths with a part that each process makes for itself: a clock, a temporary name, a random number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.python.divergence_sources import HOST
from jaxmpi_lint.library.python.process_values import shows_days

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Uniformity

_OF_PROCESS = frozenset({Source.CLOCK, Source.MACHINE, Source.RANDOM})


def made_by_each_process(function: Function, path: ir.Expression, env: Environment) -> Uniformity | None:
    """Why a path differs between processes, if each one makes a part of it for itself; hosts may have several.

    Which format a time has is not followed: where the file has a format of days or hours, it may be that one.
    """
    content = function.value(path, env).content
    if content.level is not Level.LOCAL or content.source not in _OF_PROCESS or content.tells(HOST):
        return None
    return None if content.source is Source.CLOCK and shows_days(function.module.text) else content
