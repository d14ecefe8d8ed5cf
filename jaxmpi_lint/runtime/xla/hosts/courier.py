"""The thread that transfers texts between the monitors of several hosts, through JAX's key-value store.

One process of each host does so; if it ends, another process of the host replaces it. The host of process 0 is the
first host: it receives the bulletins of all other hosts and publishes orders. No launch ever waits for this thread.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.xla.hosts import bulletin, mail
from jaxmpi_lint.runtime.xla.hosts.exchange import Store

TICK = 0.1  # seconds
_ALL_HERE = 0.3  # seconds after which processes of this host that start together have been counted
_STEP = 0.02
_FAILURES = 5  # consecutive ones after which the store counts as lost
_LONGEST = 1.0  # most seconds between polls for process 0
_PER_HOST = 0.005  # seconds added between polls for each connected host
_FIRST, _ORDERS, _BULLETIN = "hosts/first", "hosts/orders", "hosts/bulletin"


class Courier:
    """The connection of one process's host to the other hosts."""

    def __init__(self, store: Store, process: int, expected: int, folder: str) -> None:
        self._store = store
        self._process = process
        self._expected = expected
        self._folder = folder
        self._own = mail.identity(folder)
        self._lock: TextIO | None = None
        self._sent: dict[str, str] = {}
        self._stopping = threading.Event()
        self._process_number = os.getpid()
        self._first = ""
        self._pause = TICK
        self._thread = threading.Thread(target=self._run, name="jaxmpi-hosts", daemon=True)

    def start(self) -> None:
        """Start the thread; `jax.distributed.initialize` must have returned."""
        self._thread.start()

    def part(self, seconds: float) -> None:
        """Wait until the first host has recorded that this process exits, if several hosts are connected."""
        if os.getpid() != self._process_number or self._alone() or not mail.get(self._folder, mail.HOSTS):
            return
        until = time.monotonic() + seconds
        while not (self._is_seen_off() or mail.get(self._folder, mail.LOST)) and time.monotonic() < until:
            time.sleep(_STEP)

    def _is_seen_off(self) -> bool:
        text = mail.get(self._folder, mail.ORDERS)
        return bool(text) and self._process in bulletin.unpacked(text)[1]["gone"]

    def stop(self, seconds: float) -> None:
        """Stop the thread: the store ends or has ended."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        if self._stopping.wait(_ALL_HERE):
            return
        failures = 0
        step: Callable[[], bool] = self._find_first
        while not self._alone() and not self._stopping.wait(self._pause):
            try:
                if step():
                    step = self._carry
                failures = 0
            except Exception as reason:  # from the store, which may be ending
                failures += 1
                if failures == _FAILURES and not self._stopping.is_set():
                    lines = str(reason).splitlines() or [type(reason).__name__]
                    mail.put(self._folder, mail.LOST, lines[0])
                    _native.ring_launches()
                    return

    def _alone(self) -> bool:
        """Whether all processes are on this host."""
        return _native.launches_attached() >= self._expected

    def _find_first(self) -> bool:
        """Read which host is the first one, as published by process 0."""
        if self._process == 0:
            self._store.put(_FIRST, self._own)
        first = self._store.get(_FIRST)
        if first is None:
            self._pause = min(_LONGEST, 1.05 * self._pause)
            return False
        self._pause = TICK
        mail.put(self._folder, mail.HOSTS, json.dumps({"own": self._own, "first": first}))
        self._first = first
        return True

    def _carry(self) -> bool:
        if not self._speaks():
            return True
        if self._first == self._own:
            self._send(mail.ORDERS, _ORDERS)
            bulletins = self._store.all(_BULLETIN)
            self._pause = TICK + _PER_HOST * len(bulletins)
            self._receive(mail.BULLETINS, json.dumps(bulletins))
        else:
            self._send(mail.BULLETIN, f"{_BULLETIN}/{self._own}")
            self._receive(mail.ORDERS, self._store.get(_ORDERS) or "")
        return True

    def _speaks(self) -> bool:
        """Whether this process transfers the texts of its host: it holds a lock, which ends with the process."""
        if self._lock is not None:
            return True
        file = open(os.path.join(self._folder, mail.SPEAKER), "a")  # noqa: SIM115 (it stays open)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            return False
        self._lock = file
        return True

    def _send(self, name: str, key: str) -> None:
        text = mail.get(self._folder, name)
        if text and text != self._sent.get(name):
            self._store.put(key, text)
            self._sent[name] = text
            mail.put(self._folder, mail.SENT, text.partition("\n")[0])

    def _receive(self, name: str, text: str) -> None:
        if text and text != self._sent.get(name):
            self._sent[name] = text
            mail.put(self._folder, name, text)
            with suppress(RuntimeError):
                _native.ring_launches()
