"""What a monitor tells other hosts, again and again: the last state, until it changes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from jaxmpi_lint.runtime.xla import bulletin, mail

_AGAIN = 0.5  # seconds after which a text is sent again although nothing has changed
_STEP = 0.02


class Outbox:
    """The text that this host tells, with a number that says how new it is."""

    def __init__(self, folder: str, name: str) -> None:
        self._folder = folder
        self._name = name
        self._last: tuple[float, object] = (0.0, None)
        self.number = 0

    def post(self, content: Mapping[str, Any]) -> None:
        """Tell something, if it is new or was told some time ago."""
        now = time.monotonic()
        if content == self._last[1] and now - self._last[0] < _AGAIN:
            return
        self._last = (now, content)
        self.number += 1
        mail.put(self._folder, self._name, bulletin.packed(self.number, content))

    def sent(self, seconds: float) -> bool:
        """Wait until it is on its way."""
        until = time.monotonic() + seconds
        while mail.get(self._folder, mail.SENT).strip() != str(self.number):
            if time.monotonic() > until:
                return False
            time.sleep(_STEP)
        return True
