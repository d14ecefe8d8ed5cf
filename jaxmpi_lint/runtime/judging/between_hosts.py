"""What ranks of one host compare at the call, and ranks of different hosts cannot: beyond what the hashes show."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import former
from jaxmpi_lint.runtime.judging.distant_parts import PartComparison, Parts
from jaxmpi_lint.runtime.judging.exact import ExactComparison
from jaxmpi_lint.runtime.judging.former import Formers
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.ledger.snapshot import Snapshot


class BetweenHosts:
    """Compares types and parts of collectives, and what ranks entered on communicators that they have freed."""

    def __init__(self, parts: Parts, formers: Formers) -> None:
        self._exact = ExactComparison()
        self._parts = PartComparison(parts)
        self._formers = formers

    def differing(
        self, snapshot: Snapshot, history: History, resting: Collection[int], known: set[int], final: bool = False
    ) -> Iterator[Finding]:
        """Collectives whose arguments or parts differ; ``final``: at the end of the job.

        Communicators in ``known`` are left out, and those with parts that differ are added to it.
        """
        yield from self._exact.look(snapshot, history, resting, final)
        yield from self._parts.look(snapshot, history, resting, known, final)

    def misfits(self, snapshot: Snapshot, history: History) -> list[Finding]:
        """Parts that do not fit, while ranks wait or have ended."""
        return self._parts.causes(snapshot, history)

    def completed(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with the communicators that ranks have freed, if any of them may differ."""
        return former.completed(snapshot, self._formers)
