"""Retry support for operations on flaky local storage."""
from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Callable, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")


class Transient(RuntimeError):
    """An error that may go away when the operation is repeated."""


@dataclass(frozen=True)
class RetryPolicy:
    attempts: int = 3
    pause: float = 0.05

    def call(self, operation: Callable[[], T], recover: Callable[[], None]) -> T:
        for attempt in range(1, self.attempts + 1):
            try:
                return operation()
            except Transient as exc:
                if attempt == self.attempts:
                    raise
                log.warning("attempt %d failed: %s", attempt, exc)
                recover()
                time.sleep(self.pause * attempt)
        raise AssertionError("unreachable")
