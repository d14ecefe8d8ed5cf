"""Why no difference between the sides of a branch is known: exemptions that are tested for a trace only."""

from __future__ import annotations

from jaxmpi_lint.analysis.divergence.candidates import Candidate
from jaxmpi_lint.analysis.divergence.side_comparison import Agreement
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption


def _no_communication(candidate: Candidate) -> Evidence | None:
    if candidate.side_events:
        return None
    return candidate.at_branch("neither side makes a call that communicates before the sides meet")


def _other_communicator(candidate: Candidate) -> Evidence | None:
    found = candidate.sides.with_all_events().difference(candidate.meeting)
    if found is None:
        return None
    event = (*found.left, *found.right)[0]
    where = event.communicator.label if event.communicator is not None else "an unknown communicator"
    return candidate.at_event(event, f"the test does not divide the processes of {where}")


def _agreement(wanted: Agreement, candidate: Candidate) -> Evidence | None:
    if candidate.sides.agreement(candidate.meeting) is not wanted:
        return None
    return candidate.at_branch(wanted.value)


NO_DIFFERENCE: tuple[Exemption[Candidate], ...] = (
    Exemption("no-communication", "Neither side communicates.", _no_communication),
    Exemption(
        "other-communicator",
        "The test does not divide the processes of the communicator, or whether it does is not known.",
        _other_communicator,
    ),
    Exemption(
        "unknown-call",
        "A call with unknown communication is made where the sides would differ.",
        lambda candidate: _agreement(Agreement.UNKNOWN_CALL, candidate),
    ),
    Exemption(
        "other-tests-choose",
        "Some paths of both sides communicate the same, and other tests choose between the paths.",
        lambda candidate: _agreement(Agreement.SOME_PATHS, candidate),
    ),
    Exemption(
        "same-calls-in-loops",
        "Both sides repeat the same calls in loops whose trip counts are not compared.",
        lambda candidate: _agreement(Agreement.SAME_IN_LOOPS, candidate),
    ),
    Exemption(
        "too-many-sequences",
        "There are too many sequences of communication to compare.",
        lambda candidate: _agreement(Agreement.TOO_MANY, candidate),
    ),
    Exemption(
        "same-communication",
        "Both sides communicate the same in the same order.",
        lambda candidate: _agreement(Agreement.SAME, candidate),
    ),
)
