"""Python stacks as written by a rank's service thread, innermost frame first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.settings.ownership import is_machinery, is_part_of

_THREAD = re.compile(r"Thread (\d+) ")
_FRAME = re.compile(r'  File "(.*)", line (\d+), in (.*)')


@dataclass(frozen=True, slots=True)
class Stack:
    """One thread of a rank."""

    kernel_id: int
    frames: tuple[Site, ...]

    def program(self) -> tuple[Site, ...]:
        """The frames without those of the sanitizer, the import system and the start of threads."""
        return tuple(
            frame for frame in self.frames if not (is_machinery(frame.file) or is_part_of(frame.file, "threading"))
        )

    def text(self, most: int = 8) -> str:
        """The frames of the program, outermost first, as in a traceback."""
        frames = self.program() or self.frames
        shown = [f'File "{frame.file}", line {frame.line}, in {frame.function}' for frame in reversed(frames[:most])]
        if len(frames) > most:
            shown.insert(0, f"... {len(frames) - most} outer frames")
        return "\n".join(shown)


def parse(text: str) -> tuple[Stack, ...]:
    """The stacks of all Python threads of a rank."""
    threads: list[tuple[int, list[str]]] = []
    for line in text.splitlines():
        if start := _THREAD.match(line):
            threads.append((int(start[1]), []))
        elif threads:
            threads[-1][1].append(line)
    return tuple(Stack(kernel_id, _frames(lines)) for kernel_id, lines in threads)


def _frames(lines: Sequence[str]) -> tuple[Site, ...]:
    found = map(_FRAME.fullmatch, lines)
    return tuple(Site(frame[1], int(frame[2]), frame[3]) for frame in found if frame)
