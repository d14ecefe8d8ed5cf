"""Announcements of launches to processes of other hosts.

Each process writes its announcement before it reads those of the others. So of two processes that launch something
different, at least one sees the difference before it launches. By default an executable is announced only at its first
launch, when it has just been compiled, and no process waits; the monitors compare its later launches. With `strict`
every launch is announced, and begins when all processes that it needs have announced the same.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.xla.hosts import bulletin, mail
from jaxmpi_lint.runtime.xla.hosts.exchange import Store
from jaxmpi_lint.runtime.xla.hosts.windows import items_differ

AGREED, OTHER_PROGRAM, OTHER_ITEM, OTHER_COLLECTIVES = range(4)  # as `Word` in launches.hpp
_KEPT = 64  # announcements of a process that stay readable
_SHORTEST, _LONGEST = 0.0005, 0.01  # seconds between polls


@dataclass(frozen=True, slots=True)
class Announced:
    """The hashes of a launch that a process announces; 0: unknown."""

    signature: int
    program: int
    item: int

    def written(self) -> str:
        """The announcement as text."""
        return f"{self.signature:x} {self.program:x} {self.item:x}"

    def against(self, other: Announced) -> int:
        """How this announcement differs from that of a different process."""
        if self.signature != other.signature:
            return OTHER_COLLECTIVES
        if items_differ(self.item, other.item):
            return OTHER_ITEM
        return OTHER_PROGRAM if 0 not in (self.program, other.program) and self.program != other.program else AGREED


def read(text: str) -> Announced:
    """Parse the text of `Announced.written`."""
    return Announced(*(int(part, 16) for part in text.split()))


class Agreement:
    """The announcements of one process.

    ``patience``: seconds that a launch waits for the other processes; None: it does not wait. ``expected``: the number
    of processes of the job. ``folder``: the monitor's folder. ``complain``: prints a line.
    """

    def __init__(
        self,
        store: Store,
        process: int,
        expected: int,
        folder: str,
        patience: float | None,
        complain: Callable[[str], None],
    ) -> None:
        self._store: Store | None = store
        self._process = process
        self._expected = expected
        self._folder = folder
        self._patience = patience
        self._complain = complain
        self._said: deque[str] = deque()
        self._elsewhere: frozenset[int] | None = None  # processes of other hosts that are checked

    def ask(self, devices: int, sequence: int, signature: int, program: int, item: int, partners: Sequence[int]) -> int:
        """Announce a launch: the key of its device set, its number on that set, and its hashes.

        Return `AGREED` unless a process has announced something different under the same number.
        """
        store = self._store
        if store is None or _native.launches_attached() >= self._expected:
            return AGREED
        place = f"launch/{devices:x}/{sequence}"
        try:
            mine = Announced(signature, program, item >> 16)
            self._say(store, f"{place}/{self._process}", mine.written())
            waits = self._patience is not None
            said = self._wait(store, place, mine, self._needed(partners)) if waits else store.all(place)
        except Exception as reason:  # mostly because process 0 has ended
            self._store = None
            lines = str(reason).splitlines() or [type(reason).__name__]
            self._complain(
                f"rank {self._process} stopped comparing launches with other hosts before they begin: JAX's key-value "
                f"store does not respond ({lines[0]})"
            )
            return AGREED
        return max((mine.against(read(text)) for text in said.values()), default=AGREED)

    def _say(self, store: Store, key: str, text: str) -> None:
        store.put(key, text)
        self._said.append(key)
        if len(self._said) > _KEPT:
            store.remove(self._said.popleft())

    def _needed(self, partners: Sequence[int]) -> frozenset[int]:
        """The checked processes of other hosts without which the launch cannot finish."""
        if self._elsewhere is None:
            self._elsewhere = self._checked() - {*_native.launches_here(), self._process}
        return self._elsewhere & {*partners}

    def _checked(self) -> frozenset[int]:
        """The processes that the first host checks; waits until these are all processes, or until a timeout."""
        until = time.monotonic() + (self._patience or 0.0)
        while True:
            text = mail.get(self._folder, mail.ORDERS)
            checked = frozenset(bulletin.unpacked(text)[1]["checked"]) if text else frozenset[int]()
            if len(checked) >= self._expected or time.monotonic() > until or mail.get(self._folder, mail.LOST):
                return checked
            time.sleep(_LONGEST)

    def _wait(self, store: Store, place: str, mine: Announced, needed: frozenset[int]) -> Mapping[str, str]:
        """The announcements of a launch, once all needed processes have announced it or one differs."""
        pause, until = _SHORTEST, time.monotonic() + (self._patience or 0.0)
        while True:
            said = store.all(place)
            other = any(mine.against(read(text)) > OTHER_PROGRAM for text in said.values())
            if other or needed <= {int(name) for name in said}:
                return said
            if time.monotonic() > until:
                _native.begin_unagreed()
                return said
            time.sleep(_LONGEST if _native.launches_over() else pause)
            pause = min(2 * pause, _LONGEST)
