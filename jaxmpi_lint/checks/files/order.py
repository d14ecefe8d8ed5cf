"""Files that one rank changes and other ranks use, with nothing in between that orders the two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.retry_loops import waits_for_file
from jaxmpi_lint.analysis.conditions.guards import Guard, guards
from jaxmpi_lint.analysis.participation.role_decorators import selects_ranks
from jaxmpi_lint.analysis.participation.spmd_code import conjuncts, is_for_some
from jaxmpi_lint.checks.files.effects import FileEffect, FileEffects
from jaxmpi_lint.checks.files.evidence import is_rank_test
from jaxmpi_lint.checks.files.gathered import EarlyReading, early_readings
from jaxmpi_lint.checks.files.ordering import Ordering
from jaxmpi_lint.checks.files.paths import is_below, text_of
from jaxmpi_lint.checks.files.reached import Reach, Sharings
from jaxmpi_lint.checks.files.sharing import Sameness
from jaxmpi_lint.checks.files.uses import FileUse
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.file_operations import AT_ONCE, LENIENT_LISTINGS, Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_VERBS = {
    Effect.WRITES: "writes",
    Effect.APPENDS: "appends to",
    Effect.REMOVES: "removes",
    Effect.MAKES: "makes",
    Effect.READS: "reads",
    Effect.LISTS: "lists",
}
_PLURALS = {Effect.WRITES: "write", Effect.REMOVES: "remove", Effect.MAKES: "make"}
_USES: dict[Effect, frozenset[Effect]] = {
    Effect.WRITES: frozenset({Effect.READS}),
    Effect.REMOVES: frozenset({Effect.READS, Effect.WRITES, Effect.APPENDS, Effect.LISTS}),
    Effect.MAKES: frozenset({Effect.LISTS}),
}
"""The uses of a path whose outcome depends on when one rank has changed it."""

_BELOW = frozenset({Effect.READS, Effect.WRITES, Effect.APPENDS, Effect.MAKES, Effect.LISTS})
_WAITS = re.compile(r"exists|is_?file|is_?dir|sleep|stat\(")


@dataclass(frozen=True, slots=True)
class UnorderedUse:
    """A use of a path by all ranks, and the change of it by some."""

    function: Function
    change: FileEffect
    use: FileEffect
    test: ir.Span

    @property
    def place(self) -> Place:
        """The use."""
        return Place(self.function.module, self.use.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: one run may end well."""
        return Confidence.MEDIUM

    @property
    def done(self) -> str:
        """What the ranks that pass the test do."""
        return _VERBS[self.change.use.effect]

    @property
    def done_plural(self) -> str:
        """The same, for several ranks."""
        return _PLURALS[self.change.use.effect]

    @property
    def used(self) -> str:
        """What the other ranks do."""
        return _VERBS[self.use.use.effect]

    @property
    def kind(self) -> str:
        """Whether the change or the use comes first, and whether the two have the same path."""
        if self.use.span < self.change.span:
            return "changed"
        return "same" if text_of(self.change.form) == text_of(self.use.form) else "below"

    def steps(self) -> Iterator[Step]:
        """The test of the rank, the change, and the use."""
        places = [(self.change, f"it {self.done} the path here"), (self.use, f"every rank {self.used} the path here")]
        module = self.change.places[-1][0].module if self.change.frame else self.function.module
        yield Step(module, self.test, "only some ranks pass this test", aside=True)
        for effect, message in sorted(places, key=lambda one: one[0].span):
            yield Step(effect.use.function.module, effect.use.call.span, message)


def uses_without_order(function: Function) -> Iterator[UnorderedUse | EarlyReading]:
    """The uses without order in one function."""
    yield from unordered_uses(function)
    yield from early_readings(function)


def unordered_uses(function: Function) -> Iterator[UnorderedUse]:
    """The uses of paths that some ranks change."""
    project = function.project
    effects = function.get(FileEffects).found
    if len(effects) < 2 or not (project.has_mpi_evidence or project.mentions(("jax",))):
        return
    changes = [(one, test) for one in effects if one.use.effect in _USES and (test := _test_of_rank(one)) is not None]
    uses = [one for one in effects if one.use.effect in _VERBS and not one.use.together] if changes else []
    reported: set[ir.Span] = set()
    for change, guard in changes:
        for use in uses:
            found = UnorderedUse(function, change, use, guard.branch.test.span)
            if found.place.span not in reported and _is_race(function, change, guard, use):
                reported.add(found.place.span)
                yield found


def _test_of_rank(effect: FileEffect) -> Guard | None:
    """The test of the rank that a change is made under."""
    for function, block, _ in effect.places:
        for guard in guards(function, block):
            is_of_rank = guard.test.content.level is Level.RANK and guard.fact is not None
            if is_of_rank or is_rank_test(function, guard.branch.test):
                return guard
    return None


def _is_race(function: Function, change: FileEffect, guard: Guard, use: FileEffect) -> bool:
    if change.use is use.use or not _depends(change, use):
        return False
    if not _is_by_others(guard, use) or not function.project.get(Reach).may_be_all(function):
        return False
    if function.project.get(Sharings).sharing.of_form(change.form) is Sameness.OWN:
        return False
    if _waits(function, change, use) or _has_made(function, change, use):
        return False
    return function.get(Ordering).leaves_open(change, guard, use)


def _depends(change: FileEffect, use: FileEffect) -> bool:
    """Whether the outcome of the use depends on when the change happens."""
    is_later = use.span > change.span
    is_listed = use.use.effect is Effect.LISTS and use.use.name.rpartition(".")[2] in LENIENT_LISTINGS
    if change.use.effect is Effect.MAKES and is_listed:
        return False  # a folder that is missing has as many names as an empty one
    if text_of(change.form) == text_of(use.form):
        return use.use.effect in _USES[change.use.effect] and (is_later or change.use.effect is Effect.REMOVES)
    if change.use.effect is Effect.MAKES and not use.use.with_parents:
        return is_later and is_below(use.form, change.form) and use.use.effect in _BELOW
    return False


def _is_by_others(guard: Guard, use: FileEffect) -> bool:
    """Whether ranks that do not pass the test of the change reach the use."""
    if any(selects_ranks(function) for function, _, _ in use.places[1:]):
        return False  # a decorator decides which ranks run the function
    tests = frozenset(one.span for one, _ in conjuncts(guard.branch.test, guard.truth))
    for function, block, _ in use.places:
        if is_for_some(function, block, tests):
            return False
        if any(one.branch is guard.branch and one.truth == guard.truth for one in guards(function, block)):
            return False
    return True


def _waits(function: Function, change: FileEffect, use: FileEffect) -> bool:
    """Whether a test for the file stands around the use or between the two, or the use is repeated: it may wait."""
    if use.span > change.span and _waits_for_whole(change.use, use.use):
        return True
    first, last = sorted((change.span, use.span))
    between = function.module.text[first[1] : last[0]]
    tests = (place[0].module.source(guard.branch.test.span) for place in use.places for guard in guards(*place[:2]))
    return bool(_WAITS.search(between)) or any(_WAITS.search(text) for text in tests)


def _waits_for_whole(change: FileUse, use: FileUse) -> bool:
    """Whether a use is repeated until there is a file, which is there in whole."""
    at_once = change.name.rpartition(".")[2] in AT_ONCE
    return at_once and waits_for_file(use.function.ir, use.block, use.path)


def _has_made(function: Function, change: FileEffect, use: FileEffect) -> bool:
    """Whether the ranks make the file or folder themselves before they use it."""
    return any(
        other.use.effect in (Effect.MAKES, Effect.WRITES)
        and other.span < use.span
        and (
            text_of(other.form) == text_of(change.form)
            or (other.use.with_parents and change.use.effect is Effect.MAKES and is_below(other.form, change.form))
        )
        and not any(is_for_some(*place[:2]) for place in other.places)
        for other in function.get(FileEffects).found
    )
