"""Findings of what ranks detected on their own, other than differences in a collective."""

from __future__ import annotations

from collections.abc import Sequence

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import mismatches, refusals
from jaxmpi_lint.runtime.judging.histories import History
from jaxmpi_lint.runtime.judging.wait_for_graph import has_left
from jaxmpi_lint.runtime.ledger.snapshot import RawFinding, Snapshot


def findings(new: Sequence[RawFinding], snapshot: Snapshot, history: History) -> list[Finding]:
    """The findings, those of one defect merged."""
    rest = [one for one in new if one.kind not in mismatches.OF_A_COLLECTIVE]
    return mismatches.merged([_finding(one, snapshot, history) for one in rest])


def _finding(one: RawFinding, snapshot: Snapshot, history: History) -> Finding:
    if one.kind == "refused":
        return refusals.at_the_call(one)
    return mismatches.parts(one, snapshot, history) if one.kind == "counts" else mismatches.single(one, snapshot)


def may_be_refused(new: Sequence[RawFinding], snapshot: Snapshot, seconds: float) -> bool:
    """Whether MPI may still refuse the call of other ranks that it has just refused."""
    refused = {one.rank for one in new if one.kind == "refused" and snapshot.taken - one.when < seconds}
    running = {
        rank.rank
        for rank in snapshot.ranks
        if rank.alive and rank.state == "running" and any(thread.activity == "running" for thread in rank.threads)
    }
    return bool(refused and running - refused)


def may_follow(new: Sequence[RawFinding], snapshot: Snapshot, seconds: float) -> bool:
    """Whether other ranks may still use a communicator that one of them has just used after it was freed."""
    used = [one for one in new if one.kind == "use_after_free"]
    running = {rank.rank for rank in snapshot.ranks if not has_left(rank)}
    return any(snapshot.taken - one.when < seconds for one in used) and not running <= {one.rank for one in used}
