"""Severity and confidence of faults, from what the difference depends on and where it leads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.worlds.codes import Shape
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.connected_choices import hold_different_data, part_independently
from jaxmpi_lint.interpreter.own_lengths import is_selection
from jaxmpi_lint.interpreter.raised import ProgramError
from jaxmpi_lint.interpreter.symbols import Symbol, reachable
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.verdicts import FILES, MEMORY, POINT_TO_POINT, STALE, Fault, Kind
from jaxmpi_lint.library.python.process_values import Variation


class Tier(StrEnum):
    """How a fault is shown."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


SHOWN: dict[Tier, tuple[Severity, Confidence]] = {
    Tier.HIGH: (Severity.ERROR, Confidence.HIGH),
    Tier.MEDIUM: (Severity.WARNING, Confidence.MEDIUM),
    Tier.LOW: (Severity.WARNING, Confidence.LOW),
}
"""Severity and confidence of each tier."""

MEDIUM_KINDS = (
    frozenset(
        {
            Kind.BUFFERING,
            Kind.OWN_COUNT,
            Kind.COUNT_OF_SOME,
            Kind.NOT_WHOLE,
            Kind.UNEXCHANGED,
            Kind.UNMATCHED_SEND,
            Kind.REQUEST,
            Kind.LOST_UPDATE,
            Kind.EXPOSED,
            Kind.REPLICA,
            Kind.SAME_DRAWS,
            Kind.LOCAL_AVERAGE,
            Kind.SOURCES,
            Kind.OWN_PARAMETERS,
            Kind.MEMORY_ORDER,
            Kind.COLOURS,
            Kind.NUMBER_ON_NODE,
            Kind.UNIT,
            Kind.BLOCK_ORDER,
            Kind.SWAPPED,
            Kind.OTHER_SENDER,
            Kind.ECHO,
            Kind.ITEM_ORDER,
            Kind.OWN_STEP,
            Kind.BOUND_BUFFER,
            Kind.OWN_SHARE,
            Kind.UNSET_ROOT,
            Kind.REPEATED_SUM,
            Kind.JOINED,
        }
    )
    | FILES
    | STALE
)
"""Faults after which a program may still end: warnings even where everything is computed, as are all faults that
only MPI without buffers has."""

OF_VARIATION: dict[Variation, Tier] = {
    Variation.ALWAYS: Tier.HIGH,
    Variation.USUALLY: Tier.MEDIUM,
    Variation.BETWEEN_HOSTS: Tier.LOW,
}
"""Paths that differ between ranks: always, if their clocks differ, if they run on several hosts."""

LEGAL_DIFFERENCES = frozenset({"isnan", "isfinite", "isinf"})
"""Tests, like those for None, on data of one process whose outcome is usually equal although the data differs."""

_EQUALITIES = frozenset(("str", operator) for operator in ("is", "is not", "==", "!="))
_SEARCHES = tuple((("str", "operation"), ("str", operator)) for operator in ("in", "not in"))
_NONE = ("NoneType", None)

_MISSING = frozenset({"AttributeError", "NameError", "UnboundLocalError"})
_WORD = re.compile(r"[A-Za-z_]\w*")

WEAK_TAGS = frozenset({"machine"})
"""Properties of machines, which are usually alike."""


_RELEASING = frozenset({"Free", "Disconnect"})
"""Operations of a clean-up after an exception: the others hang without it as well, in what the exception skips."""

_DRAWN = frozenset({"random", "clock"})


def tier(found: Found, fault: Fault, shape: Shape) -> Tier:
    """The tier of a fault."""
    is_of_handler = shape in (Shape.HANDLER, Shape.SKIPPED)
    if found.certainty == 1 or (not is_of_handler and _ends_by_choice(found, fault)):
        return Tier.LOW
    if fault.variation is not None:
        return OF_VARIATION[fault.variation] if found.certainty == 3 else Tier.LOW
    if fault.kind in MEDIUM_KINDS or not found.world.buffering:
        return Tier.MEDIUM
    if shape is Shape.RAISE and _depends_on_size(found):
        return Tier.LOW  # a program that fails with few ranks is made for more
    if found.certainty == 3:
        is_usual = found.world.is_bounded or found.is_of_defaults or found.is_guessed or _depends_on_size(found)
        return Tier.MEDIUM if is_usual or (fault.kind in MEMORY and _takes_keys_for_equal(found)) else Tier.HIGH
    if fault.kind is Kind.EPOCH and _depends_on_one_test(found, fault):
        return Tier.MEDIUM  # one rank does it alone, whatever the others choose
    if fault.kind is Kind.REQUEST_BUFFER and _chooses_alike(found, fault):
        return Tier.MEDIUM
    decision = fault.decision
    if decision is None and fault.kind is Kind.COUNT:
        return Tier.MEDIUM if _has_own_lengths(found) else Tier.LOW
    if is_of_handler:
        is_seldom = decision is not None and _is_usually_absent(decision)
        labels = {event.label for event in (fault.event, fault.other) if event is not None}
        return Tier.LOW if is_seldom or labels & _RELEASING else Tier.MEDIUM
    if decision is None or decision.tags & WEAK_TAGS:
        return Tier.LOW
    if shape is Shape.RAISE and not decision.tags & {"files"}:
        return Tier.LOW
    if fault.kind in POINT_TO_POINT and part_independently(fault):
        return Tier.MEDIUM
    if _is_usually_alike(decision):
        return Tier.LOW
    return Tier.MEDIUM if decision.tags or shape is Shape.LOOP or _is_of_each_rank(fault) else Tier.LOW


def _depends_on_one_test(found: Found, fault: Fault) -> bool:
    """Whether a rank comes to a call by one test of unknown values only, in the function of the call."""
    turns = [turn for turn in found.world.processes[fault.rank].rank.turns if turn.asked]
    tests = {turn.span for turn in turns}
    start, end = fault.place.span
    spans = [turn.frame.function.span for turn in turns]
    return len(tests) == 1 and all(first <= start and end <= last for first, last in spans)


def _takes_keys_for_equal(found: Found) -> bool:
    """Whether a key of several parts is chosen to be in a table, as that of a buffer which is kept for a shape."""
    return any(
        isinstance(key, tuple) and key[:2] == ("test", "in") and isinstance(key[2], tuple) and key[2][0] == "tuple"
        for key in found.decisions
    )


def _chooses_alike(found: Found, fault: Fault) -> bool:
    """Whether each test of unknown values has one outcome, however often the rank of a fault makes it."""
    turns = [turn for turn in found.world.processes[fault.rank].rank.turns if turn.asked]
    outcomes = {(turn.module.path, turn.span, turn.outcome) for turn in turns}
    return len(outcomes) == len({outcome[:2] for outcome in outcomes})


def _has_own_lengths(found: Found) -> bool:
    """Whether single ranks loop over what they draw or select for themselves, and collect different numbers of items.

    Shares that ranks receive, and files of their own, may be equally long.
    """
    made = found.world.decisions.deciders.items()
    own = [key[1] for key, ranks in made if len(ranks) == 1 and isinstance(key, tuple) and key[0] == "length"]
    return any(isinstance(one, Symbol) and not one.is_guess and _is_own_length(one) for one in own)


def _is_own_length(counted: Symbol) -> bool:
    return bool(counted.own & _DRAWN) or (bool(counted.own - WEAK_TAGS) and is_selection(counted))


def _ends_by_choice(found: Found, fault: Fault) -> bool:
    """Whether the other rank raises or exits because of a value that is not known: a check of the program's input.

    A failure that no ``raise`` states may be due to any earlier outcome that was assumed: a field that is assigned only
    with a different outcome.
    """
    if found.is_of_root_only or fault.other_rank is None or fault.other_rank < 0:
        return False
    if fault.kind in MEMORY | {Kind.EXPOSED, Kind.LOST_UPDATE}:
        return False  # it has happened before the end
    other = found.world.processes[fault.other_rank]
    if other.error is None or not other.rank.turns:
        return False
    if fault.kind in FILES and (not other.has_failed or other.error.value.name == "SystemExit"):
        return False  # both accesses come before the end of the script
    if not other.has_failed and _is_end_of_script(other.error, other.rank.turns):
        return False
    if _is_unbound_by(fault.cause, other.error):
        return False
    decisive = other.rank.turns[-1:] if other.error.value.fields.get("*explicit") else other.rank.turns
    return any(turn.asked for turn in decisive)


def _is_unbound_by(cause: Turn | None, error: ProgramError) -> bool:
    """Whether a name or field is missing that only one side of a test of ranks and constants assigns."""
    if cause is None or cause.asked or cause.branch is None or error.place is None:
        return False
    if error.value.name.rpartition(".")[2] not in _MISSING:
        return False
    module, (start, end) = error.place
    read = set(_WORD.findall(module.text[start:end]))
    first, last = cause.branch.extent
    inside = (step for step in cause.frame.function.steps() if first <= step.span[0] and step.span[1] <= last)
    targets = (target for step in inside if isinstance(step, ir.Assign) for target in step.targets)
    names = (target.attr if isinstance(target, ir.Attribute) else ir.dotted(target) for target in targets)
    return not read.isdisjoint(name for name in names if name)


def _is_end_of_script(error: ProgramError, turns: Iterable[Turn]) -> bool:
    """Whether an exit is a statement of the script itself, as ``sys.exit(main())``, and no test leads to it."""
    if error.place is None:
        return False
    module, (start, end) = error.place
    functions = [one.span for one in module.functions.values() if one.span != module.body.span]
    tests = [turn.branch.extent for turn in turns if turn.asked and turn.branch is not None and turn.module is module]
    return not any(span[0] <= start and end <= span[1] for span in functions + tests)


def _depends_on_size(found: Found) -> bool:
    """Whether some numbers of ranks show the fault and larger ones do not: shares that divide evenly."""
    return found.is_at_some_sizes


def _is_of_each_rank(fault: Fault) -> bool:
    """Whether the ranks test different values at one branch: each computes its own from its rank."""
    mine, others = (fault.cause, fault.other_cause) if fault.earlier is None else (fault.earlier, fault.other_earlier)
    if mine is None or others is None or len(mine.asked) != len(others.asked):
        return False
    pairs = zip(mine.asked, others.asked, strict=True)
    return any(
        not (one.is_guess or other.is_guess or _are_of_groups(one, other)) and hold_different_data(one, other)
        for (one, _), (other, _) in pairs
    )


def _are_of_groups(one: Symbol, other: Symbol) -> bool:
    """Whether two values differ only in what collectives of two groups return, which may be the same."""
    leaves = [{part for part in reachable(symbol) if not part.operands} for symbol in (one, other)]
    different = leaves[0] ^ leaves[1]
    return bool(different) and all(part.key[0] == ("str", "shared") for part in different)


def _is_usually_alike(decision: Turn) -> bool:
    is_of_bad_data = any(symbol.words() & LEGAL_DIFFERENCES for symbol, _ in decision.asked)
    return is_of_bad_data or _is_usually_absent(decision)


def _is_usually_absent(decision: Turn) -> bool:
    """Whether a test is for None or for a key; a program that handles bad data expects it."""
    return any(_compares_with_none(symbol.key) or _is_looked_up(symbol) for symbol, _ in decision.asked)


def is_search(decision: Turn) -> bool:
    """Whether a test looks for a value in a container."""
    return any(symbol.key[:2] in _SEARCHES for symbol, _ in decision.asked)


def _is_looked_up(symbol: Symbol) -> bool:
    """Whether a test looks for a value in a table that has known keys: it may have been filled with all of them."""
    match symbol.key:
        case (("str", "operation"), ("str", "in" | "not in"), _, ("dict", *entries)):
            return any(isinstance(entry, tuple) and not isinstance(entry[0], Symbol) for entry in entries)
    return False


def _compares_with_none(frozen: object, depth: int = 4) -> bool:
    """Whether a test compares a value with None, or is computed from such a comparison."""
    if isinstance(frozen, Symbol):
        return depth > 0 and _compares_with_none(frozen.key, depth - 1)
    if not isinstance(frozen, tuple):
        return False
    if len(frozen) == 4 and frozen[1] in _EQUALITIES and _NONE in frozen[2:]:
        return True
    return any(_compares_with_none(part, depth) for part in frozen)
