"""The defects of a project: those of all entries, once each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.checks.worlds.defects import WorldDefect, defect, failed_operation
from jaxmpi_lint.checks.worlds.perhaps_ordered import is_perhaps_ordered
from jaxmpi_lint.checks.worlds.refutation import Place, refutes, shows_no_difference
from jaxmpi_lint.checks.worlds.several_programs import doubt_partners
from jaxmpi_lint.checks.worlds.tiers import Tier
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.connected_choices import part_independently
from jaxmpi_lint.interpreter.entries import alone
from jaxmpi_lint.interpreter.events import Collective, Receive, Send
from jaxmpi_lint.interpreter.events import Place as Call
from jaxmpi_lint.interpreter.exploration import explore, explore_all
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.interpreter.sizes import SIZES
from jaxmpi_lint.interpreter.verdicts import FILES, POINT_TO_POINT, Kind, Verdict

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program as Project

STEPS_OF_FUNCTION = 12_000
STEPS_OF_FUNCTIONS = 60_000
"""Steps of all worlds of one function that is called alone, and of all such functions of a project."""

_FOR_HOW_MANY = re.compile(
    r"powers?[- ]of[- ](?:two|2)|even (?:number|size|count)|(?:must|should|has to) be even", re.IGNORECASE
)
_ORDER = ("high", "medium", "low")


class Worlds:
    """The small worlds of a project; ``project.get(Worlds)`` explores them once."""

    def __init__(self, project: Project) -> None:
        self._program = Program(project)
        self._functions: dict[tuple[str, str], Explored] = {}
        self.explored: list[Explored] = explore_all(self._program)
        doubt_partners(self.explored)
        self.defects = distinct([one for explored in self.explored for one in defects_of(explored, project)])

    def never_part(self, places: set[Place]) -> bool:
        """Whether the ranks of every world that comes to the branch of a finding leave it alike."""
        ran = [one for one in self.explored if any(places & found for found in one.tests.alike.values())]
        return bool(ran) and all(shows_no_difference(self._program, one, places) for one in ran)

    def refute(self, module: ir.Module, span: ir.Span, places: set[Place]) -> bool:
        """Whether every world in which ranks part at the branch of a finding speaks against it.

        ``places`` are those of the finding. A function that nothing calls is called alone.
        """
        ran = [one for one in self.explored if places & one.parted]
        if not ran:
            alone = self._alone(module, span)
            ran = [alone] if alone is not None and places & alone.parted else []
        return bool(ran) and all(refutes(one, places) for one in ran)

    def sides(self, places: set[Place]) -> set[tuple[str, bool]]:
        """The kinds of the collectives at some places, with whether it is the root that comes there, in all worlds."""
        return {side for one in self.explored for place in places for side in one.rooted.get(place, ())}

    def launch(self, module: ir.Module, span: ir.Span) -> Call | None:
        """The launch on the devices of all processes that a call makes, or that it leads to, in some world.

        None if a shown defect is about it already.
        """
        key = module.path, span
        found = next((one.launched[key] for one in self.explored if key in one.launched), None)
        if found is None or {key, (found.module.path, found.span)} & self._told:
            return None
        return found

    @cached_property
    def _told(self) -> set[Place]:
        """The places of the defects that are shown."""
        return {(one.module.path, one.span) for one in self.defects if one.tier is not Tier.LOW}

    def _alone(self, module: ir.Module, span: ir.Span) -> Explored | None:
        entry = alone(self._program, module, span[0])
        if entry is None:
            return None
        key = entry.path, entry.function
        used = sum(one.steps for one in self._functions.values())
        if key not in self._functions and used < STEPS_OF_FUNCTIONS:
            self._functions[key] = explore(self._program, entry, STEPS_OF_FUNCTION)
        return self._functions.get(key)

    def notes(self) -> Iterator[str]:
        """What was followed and what was cut, for ``--verbose``."""
        if not self.explored:
            return
        cut = [one for one in self.explored if one.cuts]
        worlds = sum(one.worlds for one in self.explored)
        programs = f"{len(self.explored)} programs, {worlds} small worlds"
        yield f"interpreter: {programs}; {len(cut)} programs are not followed to the end"
        reasons = Counter(reason for one in cut for reason in {verdict.cut for verdict in one.cuts})
        for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
            yield f"interpreter: not followed in {count} programs: {reason}"

    def trace(self, path: str) -> Iterator[str]:
        """The worlds of the program in a file, for ``--trace``."""
        for one in self.explored:
            if one.entry.path != path:
                continue
            sizes = ", ".join(map(str, sorted(one.sizes))) or "no number of"
            yield f"interpreter: {one.worlds} small worlds, followed to the end with {sizes} ranks"
            for verdict in distinct_cuts(one):
                row = f" at line {verdict.place.row}" if verdict.place is not None else ""
                yield f"interpreter: a world is not followed to the end{row}: {verdict.cut}"


def distinct_cuts(explored: Explored) -> list[Verdict]:
    """One verdict for each reason and row."""
    found = {(verdict.cut, verdict.place.row if verdict.place is not None else 0): verdict for verdict in explored.cuts}
    return list(found.values())


def defects_of(explored: Explored, project: Project) -> list[WorldDefect]:
    """The defects of one entry."""
    for found in explored.found:
        if explored.is_of_library:  # the main guard of a module of a library, which programs start differently
            found.certainty = 1
        if found.fault.kind not in FILES:
            continue
        is_test = is_test_file(explored.entry.path)  # most tests are run by one process
        if is_test or is_perhaps_ordered(project, found):
            found.certainty = 1
    judged = [defect(found) for found in within_domain(explored)]
    return [one for one in judged if one is not None]


def within_domain(explored: Explored) -> list[Found]:
    """The faults that count: those of messages only for numbers of ranks which the program is made for.

    A program whose peers are constants is made for as many ranks as it names; there a fault counts if every number of
    ranks shows one, and those of the smallest number are the ones that count: further ranks may have no part in it. If
    it names more ranks than are run by default, the number that it names counts alone. Where peers or loops are
    computed from the size, each number of ranks counts, and so does one for which a computed peer does not exist. So
    does each one where ranks part because each tests data of its own.
    """
    refused = [found for found in explored.found if _is_refused(found, explored)]
    for found in refused:
        found.certainty = 1
    faulty = {one.size for one in explored.found if one.fault.kind in POINT_TO_POINT and one.certainty > 1}
    small = explored.sizes - {explored.larger}
    small = small - {found.size for found in refused} or small
    everywhere = faulty >= small and len(faulty) >= min(2, len(small))
    possible = [found for found in explored.found if not _names_more_ranks(found, explored)]
    smallest = min((one.size for one in possible if one.fault.kind in POINT_TO_POINT and one.certainty > 1), default=0)
    kept: list[Found] = []
    for found in possible:
        if _has_onlookers(found, explored):
            continue
        if found.fault.kind not in POINT_TO_POINT:
            found.is_at_some_sizes = _divides(explored, found)
            kept.append(found)
            continue
        if part_independently(found.fault):
            kept.append(found)
            continue
        if _needs_more(found) and not explored.reads_size:
            continue
        if found.fault.kind is Kind.PEER and explored.reads_size and not _says_for_how_many(found):
            found.is_at_some_sizes = any(size > found.size for size in small - faulty)
            counts = True
        elif explored.uses_size:
            counts = everywhere or not faulty.isdisjoint({SIZES[-1], explored.larger})
        elif explored.larger in explored.sizes:
            counts = found.size == explored.larger
        else:
            counts = everywhere and found.size == smallest
        if not counts and _is_for_any_number(explored) and _fits_others(found, small - faulty):
            found.is_at_some_sizes = counts = not _says_for_how_many(found)
        if counts:
            kept.append(found)
    return kept


def _is_refused(found: Found, explored: Explored) -> bool:
    """Whether only worlds show a fault in which there are too few ranks, as a test or a root of their number says."""
    return all(one.world.is_too_small for one in explored.found if _shown_at(one) == _shown_at(found))


def _shown_at(found: Found) -> tuple[object, ...]:
    fault = found.fault
    return fault.kind, fault.place.module.path, fault.place.span


def _is_for_any_number(explored: Explored) -> bool:
    """Whether a program computes with the number of ranks."""
    return explored.reads_size and (explored.uses_size or explored.compares_size)


def _fits_others(found: Found, clean: set[int]) -> bool:
    """Whether larger numbers of ranks show no such fault, or only the smallest one shows none."""
    return any(size > found.size for size in clean) or clean == {SIZES[0]}


def _names_more_ranks(found: Found, explored: Explored) -> bool:
    """Whether a rank or a length that does not fit is the same for every number of ranks: the program is for more.

    A loop over a constant number of roots fails at the first one that does not exist.
    """
    fault = found.fault
    if fault.constant is None:
        return False
    if fault.kind is Kind.PEER:
        return True
    if fault.kind is Kind.LIST_LENGTH and explored.uses_size:
        return False
    same = [one for one in explored.found if one.fault.kind is fault.kind and one.fault.place.span == fault.place.span]
    goes_beyond = fault.kind is Kind.ROOT_RANGE and all(one.fault.constant == one.size for one in same)
    return goes_beyond or len({one.fault.constant for one in same}) == 1


def _has_onlookers(found: Found, explored: Explored) -> bool:
    """Whether the program never asks for the size, works with the ranks that it names, and no other communicates."""
    faulty = {one.size for one in explored.found}
    fewer = {size for size in explored.sizes - faulty if 1 < size < found.size}
    if explored.reads_size or not fewer:
        return False
    further = [one for one in found.world.processes if one.rank.number >= max(fewer)]
    if any(isinstance(event, Collective | Send | Receive) for one in further for event in one.log):
        return False
    return all(any(_names_a_rank(turn.branch) for turn in one.rank.turns) for one in further)


def _names_a_rank(branch: ir.Branch | None) -> bool:
    """Whether a test compares something with a number: ``if rank == 1``, ``case 1:``."""
    if branch is None:
        return False
    return any(
        isinstance(node, ir.Comparison | ir.Matches)
        and any(isinstance(operand, ir.Constant) and type(operand.value) is int for operand in node.operands)
        for node in ir.walk(branch.test)
    )


def _says_for_how_many(found: Found) -> bool:
    """Whether the file says that the program is for powers of two, or for an even number of ranks."""
    return bool(_FOR_HOW_MANY.search(found.fault.place.module.text))


def _needs_more(found: Found) -> bool:
    """Whether a rank waits for any other one: a program that never asks for the size may be made for more ranks."""
    event = found.fault.event
    return isinstance(event, Receive) and event.source < 0


def _divides(explored: Explored, found: Found) -> bool:
    """Whether larger worlds were followed to their end, or with all ranks past the place, without such a fault.

    Not the world of a number that the program names: it may be the only one that fits.
    """
    others = (one for one in explored.found if one.fault.kind not in POINT_TO_POINT or failed_operation(one))
    faulty = {one.size for one in others}
    place = found.fault.place.module.path, found.fault.place.span
    followed = explored.sizes | {size for size, places in explored.joined.items() if place in places}
    return any(size > found.size and size not in faulty for size in followed - {explored.larger})


def _rank(one: WorldDefect) -> tuple[object, ...]:
    return _ORDER.index(one.tier), one.choices, one.module.path, one.span, one.size


def distinct(defects: list[WorldDefect]) -> list[WorldDefect]:
    """One defect for each cause and for each place: of the best judged ones, that of the simplest world."""
    kept: list[WorldDefect] = []
    seen: set[object] = set()
    for one in sorted(defects, key=_rank):
        keys = {(one.module.path, one.span), *one.causes}
        if not keys & seen:
            kept.append(one)
        seen |= keys
    return kept
