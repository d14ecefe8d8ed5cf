"""Handlers by which a program answers an error of MPI, which it then expects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.frames import Frame
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_ENDS = re.compile(r"\b(Abort|raise|_?exit|quit)\b")
"""What a handler does that only reports the error."""


def is_expected(rank: Rank) -> bool:
    """Whether a handler for ``MPI.Exception`` lets the program continue after an error of the current call."""
    return any(_names_errors(handler.kind) and _continues(frame, handler) for frame, handler in _around(rank))


def _around(rank: Rank) -> Iterator[tuple[Frame, ir.Handler]]:
    for frame in rank.frames:
        for entry in frame.function.blocks[frame.block].handlers:
            if entry in frame.prepared.handlers:
                yield frame, frame.prepared.handlers[entry]


def _names_errors(kind: ir.Expression | None) -> bool:
    kinds = kind.elements if isinstance(kind, ir.Collection) else (kind,)
    return any((ir.dotted(one) or "").endswith("MPI.Exception") for one in kinds if one is not None)


def _continues(frame: Frame, handler: ir.Handler) -> bool:
    start, end = handler.span
    return _ENDS.search(frame.scope.module.ir.text, start, end) is None
