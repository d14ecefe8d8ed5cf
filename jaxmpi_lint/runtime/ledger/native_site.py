"""Call sites in compiled code: the ledger has an instruction, the debug information of its file has the line.

The line is looked up when a report first asks for it: a program without findings costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.runtime.ledger import fortran_source
from jaxmpi_lint.runtime.ledger.snapshot import Handled, Site

if TYPE_CHECKING:
    from jaxmpi_lint.runtime.ledger.debug_information import Line

_FORTRAN_PROGRAM = "MAIN__"


class NativeSite(Site):
    """A call in compiled code.

    Without debug information `line` is 0, `file` is the program or library, and `function` the symbol with the distance
    from its start (``solve+0x1f``) or the address alone.
    """

    module: str
    build: str
    address: int
    outer: Site | None
    own_callers: tuple[Site, ...]
    meanwhile: Handled | None

    def __init__(
        self,
        module: str,
        build: str,
        address: int,
        outer: Site | None,
        callers: tuple[Site, ...],
        handled: Handled | None = None,
    ) -> None:
        """A call that returns to ``address`` of ``module``, see `Site` in ledger.hpp; ``outer`` is its `caller`."""
        given = {"module": module, "build": build, "address": address, "outer": outer, "own_callers": callers}
        given |= {"meanwhile": handled}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        """The lines in the debug information, without wrappers that have another function inlined."""
        from jaxmpi_lint.runtime.ledger import cython_source, debug_information

        found = debug_information.lines(self.module, self.build, self.address - 1)
        return (*found[:1], *(line for line in found[1:] if not cython_source.is_wrapper(line.function)))

    @property
    def is_wrapper(self) -> bool:
        """Whether it is in a function that only unpacks arguments."""
        from jaxmpi_lint.runtime.ledger import cython_source

        return bool(self._lines) and cython_source.is_wrapper(self._lines[0].function)

    @cached_property
    def _frames(self) -> tuple[Site, ...]:
        """The line, and if its function was inlined, those of its callers, the innermost first."""
        from jaxmpi_lint.runtime.ledger import cython_source, debug_information

        if self._lines:
            return tuple(
                Site(*_written(line.file, line.number), cython_source.function_name(line.function))
                for line in self._lines
            )
        return (Site(self.module, 0, debug_information.symbol(self.module, self.build, self.address)),)

    @cached_property
    def _path(self) -> tuple[Site, ...]:
        """The line and its callers. Below a line of Python, an instruction without a line says nothing."""
        inlined = self._frames if self.outer is None else self._frames[:1]
        whole = (*inlined, *(line for caller in self.own_callers for line in _whole(caller)))
        in_python = any(not isinstance(caller, NativeSite) for caller in self.own_callers)
        return tuple(frame for frame in whole if frame.line) if in_python else _without_start(whole)

    @property
    def file(self) -> str:
        """The source file."""
        return self._path[0].file

    @property
    def line(self) -> int:
        """The line in it; 0: unknown."""
        return self._path[0].line

    @property
    def function(self) -> str:
        """The function."""
        return self._path[0].function

    @property
    def caller(self) -> Site | None:
        """See `Site`."""
        return self.outer

    @property
    def operand(self) -> str:
        """See `Site`: there is none."""
        return ""

    @property
    def callers(self) -> tuple[Site, ...]:
        """The lines into which this one is inlined, and the callers with those into which they are."""
        return self._path[1:]

    @property
    def handled(self) -> Handled | None:
        """See `Site`."""
        return self.meanwhile

    def _identity(self) -> tuple[object, ...]:
        return self.module, self.address, self.outer, self.own_callers, self.meanwhile

    def __eq__(self, other: object) -> bool:
        """Whether both are the same call on the same path."""
        return isinstance(other, NativeSite) and self._identity() == other._identity()

    def __hash__(self) -> int:
        """Of the call and its path."""
        return hash(self._identity())


def without_lines(sites: Iterable[Site]) -> Iterator[str]:
    """One note for each file of compiled code whose lines are not known."""
    from jaxmpi_lint.runtime.ledger import debug_information, excerpt

    files = {(site.module, site.build) for site in sites if isinstance(site, NativeSite) and not site.line}
    for module, build in sorted(files):
        if debug_information.is_there(module, build):
            yield f"{excerpt.short(module)} has no debug information: compile it with -g to see lines of its source"
        else:
            yield f"{excerpt.short(module)} has been removed or recompiled since: lines of its source are unknown"


def _without_start(path: tuple[Site, ...]) -> tuple[Site, ...]:
    """The path without the function in C with which GNU Fortran starts a main program."""
    names = [frame.function.partition("+")[0] for frame in path]
    started = names[-2:] == [_FORTRAN_PROGRAM, "main"] or fortran_source.is_fortran(path[-1].file)
    return path[:-1] if started and len(path) > 1 and names[-1] == "main" else path


def _written(file: str, line: int) -> tuple[str, int]:
    """The line that the user wrote: of Cython, not of the C made from it; of Fortran the first one of a statement."""
    from jaxmpi_lint.runtime.ledger import cython_source

    if fortran_source.is_fortran(file):
        return file, fortran_source.first_line(file, line)
    return cython_source.source_line(file, line)


def _whole(caller: Site) -> tuple[Site, ...]:
    """The lines of a caller; none if it is a wrapper, whose inner function is in front of it."""
    if not isinstance(caller, NativeSite):
        return (caller,)
    return () if caller.is_wrapper else caller._frames
