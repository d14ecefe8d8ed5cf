"""Exemptions for exits of one role, in the order in which they are tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.cfg.expected_failures import is_expected_to_fail
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption
from jaxmpi_lint.checks.exits.exit_candidates import ExitCandidate, RoleCandidate

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.ir import Span
    from jaxmpi_lint.checks.exits.divergent_exits import Condition

_STUBS = frozenset({"NotImplementedError"})


def _at(candidate: ExitCandidate | RoleCandidate, span: Span, seen: str) -> Evidence:
    return Evidence(seen, Place(candidate.function.module, span))


def _text(candidate: ExitCandidate | RoleCandidate, condition: Condition) -> str:
    return f"`{' '.join(candidate.function.module.source(condition.part.span).split())}`"


# --- of the exit ---


def _stub(candidate: ExitCandidate) -> Evidence | None:
    raised = candidate.left.raised
    if raised is None or not _STUBS & raised.ancestry:
        return None
    return _at(candidate, candidate.left.span, "this exception means that something is not implemented")


def _expected(candidate: ExitCandidate) -> Evidence | None:
    if not is_expected_to_fail(candidate.function.ir, candidate.left.span):
        return None
    return _at(candidate, candidate.left.span, "this place is in a block that expects an exception")


def _obvious(candidate: ExitCandidate) -> Evidence | None:
    left = candidate.left
    if left.kind != "assert" or not candidate.exits.is_obvious(left):
        return None
    return _at(candidate, left.span, "it asserts a type, the presence of a value, or received data")


def _aborting_block(candidate: ExitCandidate) -> Evidence | None:
    left = candidate.left
    if not candidate.exits.resort.handles(candidate.function, left.block, left.span):
        return None
    return _at(candidate, left.span, "an enclosing block terminates the whole job")


def _caught(candidate: ExitCandidate) -> Evidence | None:
    exits, left = candidate.exits, candidate.left
    if exits.flow.leaves(left.block, left.raised, exits.tells):
        return None
    return _at(candidate, left.span, "every path out of the function has a handler that may continue or communicates")


OF_THE_EXIT: tuple[Exemption[ExitCandidate], ...] = (
    Exemption("stub", "The exception is `NotImplementedError`.", _stub),
    Exemption("expected-failure", "The exit is where a test expects an exception.", _expected),
    Exemption(
        "obvious-assertion",
        "The assertion is for a type checker, or checks data that all processes have received.",
        _obvious,
    ),
    Exemption("aborting-block", "A block around the exit terminates the whole job.", _aborting_block),
    Exemption(
        "caught",
        "A handler in the function catches the exception and may continue, or informs the other processes.",
        _caught,
    ),
)


# --- of the conditions under which the exit is reached ---


def _no_role(candidate: ExitCandidate) -> Evidence | None:
    if candidate.ranked:
        return None
    texts = ", ".join(_text(candidate, condition) for condition in candidate.conditions)
    seen = f"it depends on {texts}, not on the rank" if texts else "no test guards it"
    return _at(candidate, candidate.left.span, seen)


def _colour(candidate: ExitCandidate) -> Evidence | None:
    if not candidate.ranked or candidate.roles:
        return None
    condition = candidate.ranked[0]
    return _at(candidate, condition.branch.span, f"{_text(candidate, condition)} is the colour of an earlier `Split`")


def _one_process(candidate: ExitCandidate) -> Evidence | None:
    for condition in candidate.further:
        if candidate.exits.means_one_process(condition):
            return _at(candidate, condition.branch.span, f"{_text(candidate, condition)} leaves a single process")
    return None


OF_THE_CONDITIONS: tuple[Exemption[ExitCandidate], ...] = (
    Exemption("no-role", "No test of the rank guards the exit.", _no_role),
    Exemption("one-process", "The exit is reached only in jobs with one process.", _one_process),
    Exemption(
        "same-colour", "The communicator was split by the same test, which is thus uniform in each part.", _colour
    ),
)


# --- of one role that may take it ---


def _must_not_come(candidate: RoleCandidate) -> Evidence | None:
    if candidate.exits.leaves_sometimes(candidate.left, candidate.role, candidate.further):
        return None
    return _at(candidate, candidate.role.branch.span, "every process that takes this branch exits here")


def _informs(candidate: RoleCandidate) -> Evidence | None:
    if not candidate.exits.speaks_before(candidate.role, candidate.left):
        return None
    return _at(candidate, candidate.role.branch.span, "between this test and the exit, the role communicates or aborts")


def _nothing_ahead(candidate: RoleCandidate) -> Evidence | None:
    if candidate.ahead is not None:
        return None
    return _at(candidate, candidate.role.branch.span, "after it, there is no collective that the others must reach")


def _others_fail(candidate: RoleCandidate) -> Evidence | None:
    assert candidate.ahead is not None
    end = candidate.ahead.at[0] if candidate.caller is None else None
    if not candidate.exits.others_fail(candidate.role, end):
        return None
    return _at(
        candidate,
        candidate.role.branch.span,
        "without this branch, a name is unbound, or a variable is None, where the others use it",
    )


def _job_ends(candidate: RoleCandidate) -> Evidence | None:
    if not candidate.exits.resort.covers(candidate.function):
        return None
    return _at(candidate, candidate.left.span, "an exception that leaves this function terminates the whole job")


OF_THE_ROLE: tuple[Exemption[RoleCandidate], ...] = (
    Exemption(
        "role-always-leaves",
        "The whole role exits, at a place that it is not meant to reach.",
        _must_not_come,
    ),
    Exemption("role-informs-others", "The role communicates with the others, or aborts, before it exits.", _informs),
    Exemption("no-collective-ahead", "The others need not reach a collective that the role skips.", _nothing_ahead),
    Exemption("others-fail-too", "The others fail as well: a name is unbound, or a variable is None.", _others_fail),
)
OF_THE_PROGRAM: tuple[Exemption[RoleCandidate], ...] = (
    Exemption(
        "job-ends",
        "A handler, a hook or the launcher terminates the whole job if the exception leaves the function.",
        _job_ends,
    ),
)
