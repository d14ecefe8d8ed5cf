"""What a process says to those of other hosts before it launches, and hears from them.

Who says first and reads then never misses what another one said before that, so of two processes that launch something
different at least one knows before it launches. Nobody waits. An executable is announced at its first launch, when it
has just been compiled; its later launches are compared by the monitors.
"""

from __future__ import annotations

from collections import deque

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.xla.exchange import Store

AGREED, OTHER_PROGRAM, OTHER_COLLECTIVES = range(3)  # as `Word` in launches.hpp
_KEPT = 64  # announcements of a process that others can still read


class Agreement:
    """The announcements of one process."""

    def __init__(self, store: Store, process: int, expected: int) -> None:
        self._store: Store | None = store
        self._process = process
        self._expected = expected
        self._said: deque[str] = deque()

    def ask(self, devices: int, sequence: int, signature: int, program: int) -> int:
        """Announce a launch: ``devices`` is the key of the set, the rest the launch's number on it and its hashes.

        `AGREED`, unless somebody has announced something else in the same place.
        """
        store = self._store
        if store is None or _native.launches_attached() >= self._expected:
            return AGREED
        try:
            return self._asked(store, f"launch/{devices:x}/{sequence}", signature, program)
        except Exception:  # the store is gone; the monitor says so
            self._store = None
            return AGREED

    def _asked(self, store: Store, place: str, signature: int, program: int) -> int:
        own = f"{place}/{self._process}"
        store.put(own, f"{signature:x} {program:x}")
        self._said.append(own)
        if len(self._said) > _KEPT:
            store.remove(self._said.popleft())
        word = AGREED
        for text in store.all(place).values():
            collectives, other = (int(part, 16) for part in text.split())
            if collectives != signature:
                return OTHER_COLLECTIVES
            if 0 not in (program, other) and program != other:
                word = OTHER_PROGRAM
        return word
