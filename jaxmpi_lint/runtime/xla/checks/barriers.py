"""Detection of processes that wait at barriers of different names in JAX's coordination service.

A barrier that all processes reach soon costs nothing. A process that waits longer publishes the name of its barrier
repeatedly. Two processes that wait at the same time, each in its only thread, cannot reach each other's barrier: both
calls end by timeout. The finding is a warning, because a program may expect the timeout.
"""

from __future__ import annotations

import functools
import itertools
import json
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.checks.values import in_order, user_site
from jaxmpi_lint.runtime.xla.hosts.exchange import Exchange

_LONG = 1.0  # seconds of waiting before the barrier is published
_SHORT = 3000  # milliseconds; a program that waits no longer expects that the others may not come
_STEP = 0.25  # seconds between polls
_BEATS = 2  # by which the other process's count must grow while this one waits
_OWN = "jaxmpi-"  # prefix of the names of the sanitizer's threads
_KEY = "barrier"


@dataclass(frozen=True, slots=True)
class Wait:
    """A process at a barrier."""

    process: int
    number: int  # index of the barrier among those of the process
    name: str
    file: str
    line: int
    function: str
    beat: int = 0  # grows while the process waits


class Barriers:
    """The barriers of one process."""

    def __init__(self, exchange: Exchange, process: int, tell: Callable[[Finding], None]) -> None:
        self._exchange = exchange
        self._process = process
        self._tell = tell
        self._number = itertools.count()

    def watch(self, client: Any) -> None:
        """Observe the barriers of all clients of this type of JAX's coordination service."""
        kind = type(client)
        wait_at_barrier = getattr(kind, "wait_at_barrier", None)
        if wait_at_barrier is None or hasattr(wait_at_barrier, "_jaxmpi_sanitize"):
            return

        @functools.wraps(wait_at_barrier)
        def waiting(client: Any, name: str, *arguments: Any, **named: Any) -> Any:
            of_all = len(arguments) < 2 and named.get("process_ids") is None
            timeout = arguments[0] if arguments else named.get("timeout_in_ms", _SHORT)
            if not (of_all and in_order()) or timeout < _SHORT:
                return wait_at_barrier(client, name, *arguments, **named)
            site, _ = user_site(sys._getframe(1))
            over = threading.Event()
            mine = Wait(self._process, next(self._number), name, site.file, site.line, site.function)
            watcher = threading.Thread(target=self._look, args=(mine, over), name=f"{_OWN}barrier", daemon=True)
            watcher.start()
            try:
                return wait_at_barrier(client, name, *arguments, **named)
            finally:
                over.set()

        waiting._jaxmpi_sanitize = True  # type: ignore[attr-defined]
        kind.wait_at_barrier = waiting

    def _look(self, mine: Wait, over: threading.Event) -> None:
        """Publish that this process waits, and read where others wait, until the wait or the store ends."""
        first: dict[int, Wait] = {}
        if over.wait(_LONG):
            return
        try:
            while not over.wait(_STEP) and _is_alone():
                mine = replace(mine, beat=mine.beat + 1)
                self._exchange.publish(_KEY, json.dumps(asdict(mine)))
                found = self._stuck_with(mine, first)
                if found is not None:
                    self._tell(different(mine, found))
                    return
        except Exception:  # the error of the barrier itself is more helpful
            return

    def _stuck_with(self, mine: Wait, first: dict[int, Wait]) -> Wait | None:
        """A process that still waits at a different barrier after this one began to poll."""
        for process, text in self._exchange.read(_KEY).items():
            other = read(json.loads(text))
            known = first.setdefault(process, other)
            if known.number != other.number:
                first[process] = other
            elif process != mine.process and other.name != mine.name and other.beat >= known.beat + _BEATS:
                return other
        return None


def read(known: Mapping[str, Any]) -> Wait:
    """The wait that a process published."""
    return Wait(**known)


def different(one: Wait, other: Wait) -> Finding:
    """The finding of two processes at different barriers."""
    one, other = sorted((one, other), key=lambda wait: wait.process)
    sides = tuple(
        Side((wait.process,), f"wait_at_barrier({wait.name!r})", Site(wait.file, wait.line, wait.function))
        for wait in (one, other)
    )
    message = f"rank {one.process} waits at barrier {one.name!r}, rank {other.process} at barrier {other.name!r}"
    return Finding("JS508", message, (one.process, other.process), sides)


def _is_alone() -> bool:
    """Whether no other Python thread can reach a barrier."""
    main = threading.main_thread()
    return all(thread is main or thread.name.startswith(_OWN) for thread in threading.enumerate())
