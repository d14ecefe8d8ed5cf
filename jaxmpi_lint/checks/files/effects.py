"""What a function and the functions that it calls do with files, as seen from the function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import FunctionReference
from jaxmpi_lint.analysis.lattice.limits import FILE_CALLS
from jaxmpi_lint.checks.files.paths import Form, Frame, Part, form_of
from jaxmpi_lint.checks.files.uses import FileUse, FileUses

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

MAX_EFFECTS = 300
"""Uses of files of one function and its callees that are considered."""


@dataclass(frozen=True, slots=True, eq=False)
class FileEffect:
    """A use of a file, with the call of the function that leads to it.

    ``block`` and ``span`` are those of the call in the function that is looked at; ``frame`` is the call that runs the
    function with the use, and ``blocks`` are the places of the calls on the way, each with its function.
    """

    use: FileUse
    form: Form
    block: int
    span: ir.Span
    frame: Frame | None
    places: tuple[tuple[Function, int, Frame | None], ...]

    @property
    def is_direct(self) -> bool:
        """Whether the function itself uses the file."""
        return self.frame is None


class FileEffects:
    """The uses of files in one function and its callees."""

    def __init__(self, function: Function) -> None:
        self._function = function

    @cached_property
    def direct(self) -> tuple[FileEffect, ...]:
        """Those of the function itself."""
        return tuple(_own(self._function, None, ()))

    @cached_property
    def found(self) -> tuple[FileEffect, ...]:
        """Those of the function and its callees."""
        found: list[FileEffect] = []
        for effect in _effects(self._function, None, (), frozenset()):
            found.append(effect)
            if len(found) >= MAX_EFFECTS:
                break
        return tuple(found)


_Places = tuple[tuple["Function", int, Frame | None], ...]


def _own(function: Function, frame: Frame | None, places: _Places) -> Iterator[FileEffect]:
    for use in function.get(FileUses).found:
        form = form_of(function, use.path, frame)
        if use.suffix and form and not (form[-1].is_literal and form[-1].text.endswith(use.suffix)):
            form = (*form, Part(use.suffix))
        first = places[0] if places else None
        block, span = (first[1], _outermost(frame).call.span) if first and frame else (use.block, use.call.span)
        yield FileEffect(use, form, block, span, frame, (*places, (function, use.block, frame)))


def _outermost(frame: Frame) -> Frame:
    while frame.outer is not None:
        frame = frame.outer
    return frame


def _effects(
    function: Function, frame: Frame | None, places: _Places, seen: frozenset[tuple[str, str]]
) -> Iterator[FileEffect]:
    yield from _own(function, frame, places)
    if len(places) >= FILE_CALLS:
        return
    for block, bound, reference in function.calls_of_functions:
        callee = _callee(function, reference)
        if callee is None or callee.key in seen or callee.key == function.key:
            continue
        inner = Frame(function, bound.call, frame)
        yield from _effects(callee, inner, (*places, (function, block, frame)), seen | {function.key})


def _callee(function: Function, reference: FunctionReference) -> Function | None:
    callee = function.project.function(*reference.key)
    return None if callee is None or callee.ir.is_generator or callee.ir.is_too_large else callee
