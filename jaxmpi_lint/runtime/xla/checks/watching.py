"""The checks of a process besides its launches: environment, multihost arguments, barriers.

JAX's modules are wrapped as they are imported; nothing is checked before the process has joined a job.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.xla.checks import environment_agreement, items, launcher
from jaxmpi_lint.runtime.xla.checks.assertions import Assertions
from jaxmpi_lint.runtime.xla.checks.barriers import Barriers
from jaxmpi_lint.runtime.xla.checks.values import Connection, Disagreement, Values, user_site
from jaxmpi_lint.runtime.xla.hosts.agreement import Agreement
from jaxmpi_lint.runtime.xla.hosts.courier import Courier
from jaxmpi_lint.runtime.xla.hosts.exchange import KeyValueStore
from jaxmpi_lint.runtime.xla.hosts.sent_findings import RAISE, Sender

LAST_WORDS = 3.0
"""Seconds within which the first host records that a process exits, and compares its launches."""

PATIENCE = 5.0
"""Seconds that a process that found an error waits for the monitor to end the job."""


class Watching:
    """The checks of one process."""

    def __init__(self) -> None:
        self._values = Values()
        self._assertions = Assertions()
        self._asking = launcher.Asking(say)
        self._announce: Callable[[str], None] = _ignore
        self.report: Callable[[Finding], None] = say  # pass a finding on; an error may raise `Disagreement`
        self._courier: Courier | None = None
        self._seen_to: dict[str, Callable[[ModuleType], None]] = {
            "jax._src.array": self._values.watch_jax,
            "jax._src.distributed": launcher.explain,
            "jax.experimental.multihost_utils": self._see_to_multihost,
            "jax": self._asking.watch,
        }

    def arrived(self, module: ModuleType) -> None:
        """Wrap functions of a module that has just been executed and from which nothing has been imported yet."""
        self._seen_to[module.__name__](module)

    def connect(self, state: Any, folder: str, complain: Callable[[str], None], patience: float | None) -> None:
        """Start the checks: this process has joined a job. ``state`` is JAX's, ``folder`` the monitor's.

        ``patience``: see `Agreement`.
        """
        exchange, sender = KeyValueStore(state.client, state.process_id), Sender(folder)

        def tell(finding: Finding) -> None:
            letter = sender.send(finding)
            if finding.severity == "error" and sender.answered(letter, PATIENCE) == RAISE:
                raise Disagreement(f"{finding.code}: {finding.message}")

        def announce(when: str) -> None:
            try:
                site, _ = user_site(sys._getframe(1))
                found = environment_agreement.announce(exchange, state.num_processes, when, site)
            except Exception as reason:  # a private part of JAX has changed
                complain(f"not checked: the environments of JAX's processes ({type(reason).__name__}: {reason})")
                return
            for finding in found:
                tell(finding)

        begin = self.launching
        self._values.connect(Connection(exchange, state.process_id, state.num_processes, tell, complain, begin))
        self._assertions.connect(exchange)
        announce("initialize")
        self._announce, self.report = announce, tell
        Barriers(exchange, state.process_id, tell).watch(state.client)
        self._courier = Courier(exchange, state.process_id, state.num_processes, folder)
        self._courier.start()
        agreement = Agreement(exchange, state.process_id, state.num_processes, folder, patience, complain)
        _native.ask_before_launches(agreement.ask)
        _native.look_for_items(items.look)

    def part(self) -> None:
        """Report to the other hosts, before the store ends, that this process launches nothing more."""
        if self._courier is not None:
            self._courier.part(LAST_WORDS)

    def be_alone(self) -> None:
        """Stop the checks that need the store, which has ended."""
        if self._courier is not None:
            _native.ask_before_launches(None)
            self._courier.stop(LAST_WORDS)
            self._courier = None

    def launching(self) -> None:
        """Compare environments again before the first launch or multihost call, when devices are known."""
        announce, self._announce = self._announce, _ignore
        announce("first launch")

    def _see_to_multihost(self, module: ModuleType) -> None:
        self._values.watch_multihost(module)
        self._assertions.watch(module)
        self._asking.watch(module)


def say(finding: Finding) -> None:
    """Print a finding of a process that has no monitor on standard error."""
    os.write(2, report.plain(report.lines(finding)).encode(errors="backslashreplace"))


def _ignore(when: str) -> None:
    """Do nothing: the process has not joined a job yet."""


WATCHING = Watching()
