"""The last state of a monitor for other hosts, sent repeatedly until it changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from jaxmpi_lint.runtime.xla.hosts import bulletin, mail

_AGAIN = 0.5  # seconds after which an unchanged text is sent again
_STEP = 0.02


class Outbox:
    """The text that this host sends, with a sequence number."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._name = name
        self._last: tuple[float, object] = (0.0, None)
        self.number = 0

    def post(self, content: Mapping[str, Any]) -> None:
        """Send a content if it is new or was last sent some time ago."""
        now = time.monotonic()
        if content == self._last[1] and now - self._last[0] < _AGAIN:
            return
        self._last = (now, content)
        self.number += 1
        mail.put(self._folder, self._name, bulletin.packed(self.number, content))

    def sent(self, seconds: float) -> bool:
        """Wait until the last text has been sent; False after a timeout."""
        until = time.monotonic() + seconds
        while mail.get(self._folder, mail.SENT).strip() != str(self.number):
            if time.monotonic() > until:
                return False
            time.sleep(_STEP)
        return True
