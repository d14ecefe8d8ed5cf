"""In which order processes died.

A launcher kills the other ranks milliseconds after the first one died; the ledger's locks tell only later, and not in
which order.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Mapping
from contextlib import suppress

_APART = 0.05  # seconds: closer deaths may be those of a job that was killed as a whole


class Deaths:
    """Waits for the ends of processes, in a thread of its own that sleeps until then."""

    def __init__(self, processes: Mapping[int, int]) -> None:
        """``processes``: the pid of each rank."""
        self._waves: list[tuple[float, frozenset[int]]] = []
        self._ranks: dict[int, int] = {}
        self._poll = select.poll()
        for rank, process in processes.items():
            with suppress(OSError, AttributeError, ValueError):
                descriptor = os.pidfd_open(process)
                self._ranks[descriptor] = rank
                self._poll.register(descriptor, select.POLLIN)
        threading.Thread(target=self._wait, daemon=True).start()

    def first_of(self, ranks: frozenset[int]) -> tuple[frozenset[int], bool]:
        """Those of the ranks that died first, and whether the others clearly outlived them."""
        waves = [(when, wave & ranks) for when, wave in self._waves if wave & ranks]
        if not waves:
            return ranks, False
        clear = len(waves) == 1 or waves[1][0] - waves[0][0] >= _APART
        return waves[0][1], clear and waves[0][1] != ranks

    def _wait(self) -> None:
        while self._ranks:
            ended = [descriptor for descriptor, _ in self._poll.poll()]
            self._waves.append((time.monotonic(), frozenset(self._ranks[descriptor] for descriptor in ended)))
            for descriptor in ended:
                self._poll.unregister(descriptor)
                os.close(descriptor)
                del self._ranks[descriptor]
