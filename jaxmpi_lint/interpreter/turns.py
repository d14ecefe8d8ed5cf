"""The branches that a rank took, by which the cause of a difference is found."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.raised import ProgramError
from jaxmpi_lint.interpreter.symbols import Symbol


@dataclass(slots=True, eq=False)
class Turn:
    """One branch of one rank; ``key`` is equal on ranks that came the same way and visit it equally often.

    ``asked`` are the symbols of its test with their outcomes, empty where everything was known. ``depth`` is the
    number of frames, ``error`` the exception that led to a handler, ``events`` the number of events before.
    ``compares_floats`` if the test compares floats that are known.
    """

    key: tuple[int, int, int]
    outcome: bool
    frame: Frame
    branch: ir.Branch | None
    asked: tuple[tuple[Symbol, bool], ...] = ()
    depth: int = 0
    handler: ir.Handler | None = None
    error: ProgramError | None = None
    events: int = 0
    compares_floats: bool = False
    module: ir.Module = field(init=False)

    def __post_init__(self) -> None:
        self.module = self.frame.scope.module.ir

    @classmethod
    def of_handler(
        cls, frame: Frame, entry: int, handler: ir.Handler | None, error: ProgramError, depth: int, events: int
    ) -> Turn:
        """The entry of a handler or of a ``finally`` after an exception."""
        asked = error.value.fields.get("*asked", ())
        return cls((frame.path, entry, frame.count(entry)), True, frame, None, asked, depth, handler, error, events)

    @property
    def span(self) -> ir.Span:
        """The place of the test or of the handler."""
        if self.branch is not None:
            return self.branch.span
        assert self.handler is None or self.handler.span
        return self.handler.span if self.handler is not None else self.frame.function.name_span

    @property
    def tags(self) -> frozenset[str]:
        """The kinds of values of one process that the test depends on."""
        return frozenset(tag for symbol, _ in self.asked for tag in symbol.own)
