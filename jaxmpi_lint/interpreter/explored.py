"""What the worlds of one entry show."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.causes import rooted_in
from jaxmpi_lint.interpreter.certainty import Found
from jaxmpi_lint.interpreter.communication import communicates
from jaxmpi_lint.interpreter.entries import Entry
from jaxmpi_lint.interpreter.events import Place
from jaxmpi_lint.interpreter.symbols import MAX_PASSES
from jaxmpi_lint.interpreter.tests_of_ranks import TestsOfRanks
from jaxmpi_lint.interpreter.verdicts import Verdict
from jaxmpi_lint.interpreter.world import World


@dataclass(slots=True)
class Explored:
    """The worlds of one entry: their faults, and the reasons why some were cut.

    ``parted`` are the branches that ranks of one world left on different sides, ``tests`` are facts about all branches,
    ``further`` those of one world of larger numbers of ranks, None if it was cut. ``met`` are the collectives that
    ranks reached, ``called`` the calls of functions of the project, ``joined`` those that all ranks reached, by the
    number of ranks, ``followed`` the numbers of ranks for which there are no further worlds and no loop was left early.
    ``named`` are numbers of ranks that the program names or needs, ``larger`` the one of them with which it was run, or
    0, ``thresholds`` the numbers that it compares ranks and sizes with. ``launched`` has the calls that run a compiled
    program on the devices of all processes. ``straight`` has one world of each number of ranks with messages and
    without a fault. ``rooted`` are the collectives with a root (see `causes.rooted_in`). ``roles`` are those of
    `Symbols`. ``starts_differ`` if the ranks are likely to be started with different arguments.
    """

    entry: Entry
    found: list[Found] = field(default_factory=list)
    cuts: list[Verdict] = field(default_factory=list)
    worlds: int = 0
    steps: int = 0
    sizes: set[int] = field(default_factory=set)
    uses_size: bool = False
    reads_size: bool = False
    compares_size: bool = False
    reads_options: bool = False
    reads_arguments: bool = False
    starts_differ: bool = False
    is_of_library: bool = False
    is_too_long: bool = False
    max_passes: int = MAX_PASSES
    is_lean: bool = False
    roles: dict[object, str] = field(default_factory=dict)
    parted: set[tuple[str, ir.Span]] = field(default_factory=set)
    met: set[tuple[str, ir.Span]] = field(default_factory=set)
    called: set[tuple[str, ir.Span]] = field(default_factory=set)
    tests: TestsOfRanks = field(default_factory=TestsOfRanks)
    further: dict[int, TestsOfRanks | None] = field(default_factory=dict)
    joined: dict[int, set[tuple[str, ir.Span]]] = field(default_factory=dict)
    launched: dict[tuple[str, ir.Span], Place] = field(default_factory=dict)
    rooted: dict[tuple[str, ir.Span], set[tuple[str, bool]]] = field(default_factory=dict)
    straight: dict[int, World] = field(default_factory=dict)
    followed: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    thresholds: set[int] = field(default_factory=set)
    larger: int = 0
    failure: tuple[str, str] | None = None

    @property
    def is_decided(self) -> bool:
        """Whether further worlds would tell nothing: of a function only whether it is right is of interest."""
        return bool(self.entry.function and (self.cuts or self.found))


def note_size(result: Explored, world: World) -> None:
    """Record how a program uses the number of ranks."""
    result.uses_size = result.uses_size or world.uses_size
    result.reads_size = result.reads_size or world.reads_size
    result.compares_size = result.compares_size or world.compares_size


def note_rooted(result: Explored, world: World) -> None:
    """Record which ranks came to the collectives with a root."""
    for place, sides in rooted_in(world).items():
        result.rooted.setdefault(place, set()).update(sides)


def ends_itself(world: World) -> bool:
    """Whether all ranks end by themselves: the program is not made for this number of ranks.

    Ranks that have communicated before a regular exit have done their work.
    """
    if all(process.has_failed for process in world.processes):
        return True
    return all(process.error is not None for process in world.processes) and not communicates(world)
