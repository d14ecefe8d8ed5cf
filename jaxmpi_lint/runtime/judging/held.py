"""Ranks that the sanitizer holds in a call because of a finding: what the finding states about them.

A rank is held before its state describes the call, so the state is that of the call before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import mismatches
from jaxmpi_lint.runtime.ledger.snapshot import Rank, RawFinding, Site, Snapshot, Thread

Place = tuple[int | None, int]
"""A collective: the index of its communicator and its number there."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The call of a held rank."""

    text: str
    site: Site | None
    since: float


def holds(snapshot: Snapshot) -> Mapping[int, Hold]:
    """The last error that each rank detected."""
    codes = contested(snapshot)
    return {
        one.rank: _hold(one, codes.get((one.communicator, one.ordinal)) if _is_mismatch(one) else None)
        for one in _in_order(snapshot)
        if _is_error(one)
    }


def contested(snapshot: Snapshot) -> Mapping[Place, str]:
    """The mismatched collectives with the codes of their findings: ranks inside do not wait for the held ones."""
    codes: dict[Place, str] = {}
    for one in _in_order(snapshot):
        if _is_mismatch(one) and _is_error(one):  # all that ranks detected in one collective is one finding
            codes.setdefault((one.communicator, one.ordinal), mismatches.code(one))
    return codes


def _in_order(snapshot: Snapshot) -> list[RawFinding]:
    return sorted(snapshot.findings, key=lambda one: one.when)


def _is_mismatch(raw: RawFinding) -> bool:
    return raw.kind in mismatches.OF_A_COLLECTIVE


def is_held(thread: Thread) -> bool:
    """Whether a finding holds a thread; in MPI_Finalize it waits for the judgement of the whole job."""
    return thread.activity == "held" and thread.function != "MPI_Finalize"


def of(rank: Rank, thread: Thread | None, known: Mapping[int, Hold]) -> Hold | None:
    """How a thread is held; None if it is not."""
    return known.get(rank.rank) if thread is not None and is_held(thread) else None


def _hold(raw: RawFinding, code: str | None) -> Hold:
    call = mismatches.own_call(raw)
    inside = f" in {call}" if raw.mine is not None and raw.kind != "message" else f", which {call}" if call else ""
    return Hold(f"held by the sanitizer{inside} ({code or mismatches.code(raw)})", raw.site, raw.when)


def _is_error(raw: RawFinding) -> bool:
    return Finding(mismatches.code(raw), "", ()).severity == "error"
