"""The events of a ledger on a descriptor that can be polled together with sockets."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from enum import IntEnum

from jaxmpi_lint.runtime.ledger.interface import LedgerReader

_LOOK = 1.0  # seconds
_QUIET = "quiet"  # what every wait of a rank leads to after a while


class Event(IntEnum):
    """What has happened: nothing, ranks have begun to wait, or a rank has found something or ended."""

    NONE = 0
    QUIET = 1
    URGENT = 2


class Events:
    """A byte on ``descriptor`` for each event of the ledger."""

    def __init__(self, book: LedgerReader) -> None:
        self._book, self._over = book, False
        self.descriptor, self._writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over:
            event = self._book.wait(_LOOK)
            if event != "timeout":
                with suppress(BlockingIOError):  # it is full of events that nobody has read
                    os.write(self._writing, b"." if event == _QUIET else b"!")

    def close(self) -> None:
        """End; the ledger has no other waiter then."""
        self._over = True
        self._thread.join()

    def taken(self) -> Event:
        """The most important event since the last call."""
        try:
            found = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return Event.NONE
        return Event.URGENT if b"!" in found else Event.QUIET
