"""Progress bar on a terminal, for long runs."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0  # seconds before the bar appears


class Bar:
    """Called with the numbers of parsed files and of all files; silent unless standard error is a terminal."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._wanted = sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show the progress of parsing."""
        if not self._wanted or (self._bar is None and time.monotonic() - self._begin < PATIENCE):
            return
        if self._bar is None:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("parsing", total=None)
        self._bar.start()
