"""Uses of the world instead of the communicator that a function takes: places, kinds, and fixes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator, own_communicator
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses
from jaxmpi_lint.checks.mpi4py.omitted_communicators import OmittedCommunicator
from jaxmpi_lint.checks.mpi4py.positional_communicators import Swallowed, swallowed_communicators
from jaxmpi_lint.checks.mpi4py.world_finder import WorldFinder
from jaxmpi_lint.checks.mpi4py.world_reads import WorldRead, named_world
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class WorldCollective:
    """A collective on the world; ``use`` is the call, if a called function that takes the world makes it."""

    function: Function
    own: OwnCommunicator
    bound: BoundCall
    world: ir.Expression
    use: CommunicatorUse | None = None

    @property
    def kind(self) -> str:
        """Whether it is called here or in a called function."""
        return "collective" if self.use is None else "call"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """High where the collective is in the function itself."""
        return Confidence.HIGH if self.use is None else Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The collective."""
        return (self.bound.known_operation if self.use is None else self.use.operation).method

    @property
    def called(self) -> str:
        """What is called, as it is written."""
        return self.function.module.line(self.bound.call.func.span)

    @property
    def meant(self) -> str:
        """The communicator to use in place of the world."""
        return self.own.text

    @property
    def repair(self) -> Repair | None:
        """The given communicator in place of the world."""
        return _repair(self.own, self.world.span, self.meant)

    def steps(self) -> Iterator[Step]:
        """Where the communicator is passed, and where the collective is."""
        yield _given(self.own)
        if self.use is not None:
            yield Step(self.use.module, self.use.span, "the collective")


@dataclass(frozen=True, slots=True)
class WorldRank:
    """A rank or size of the world that controls what happens on the given communicator."""

    function: Function
    own: OwnCommunicator
    read: WorldRead
    kind: str = "rank"

    @property
    def place(self) -> Place:
        """Where it is read."""
        return Place(self.read.function.module, self.read.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: it may be intended."""
        return Confidence.MEDIUM

    @property
    def text(self) -> str:
        """The expression as it is written."""
        return self.place.module.source(self.read.span)

    @property
    def meant(self) -> str:
        """The communicator to query, as the reading function names it."""
        own = self.own if self.read.function is self.function else own_communicator(self.read.function)
        return (own or self.own).text

    @property
    def repair(self) -> Repair | None:
        """The given communicator in place of the world."""
        return _repair(self.own, self.read.communicator, self.meant) if self.read.communicator is not None else None

    def steps(self) -> Iterator[Step]:
        """Where the communicator is passed."""
        yield _given(self.own)


@dataclass(frozen=True, slots=True)
class DroppedCommunicator:
    """A communicator that is passed by position to a function that takes it only by name."""

    function: Function
    found: Swallowed
    kind: str = "dropped"

    @property
    def place(self) -> Place:
        """The argument."""
        return Place(self.function.module, self.found.argument.span)

    @property
    def confidence(self) -> Confidence:
        """High: it is never read."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The argument as it is written."""
        return self.place.module.source(self.place.span)

    @property
    def called(self) -> str:
        """The function that ignores it."""
        return self.found.called.ir.name

    @property
    def keyword(self) -> str:
        """The name that the function looks up."""
        return self.found.keyword

    @property
    def repair(self) -> Repair | None:
        """The argument, passed by name."""
        edit = (self.place.span, f"{self.keyword}={self.text}")
        return Repair(Applicability.SAFE, f"pass `{self.keyword}` by name", (edit,)) if self.found.is_last else None

    def steps(self) -> Iterator[Step]:
        """Where the name is looked up."""
        message = f"`{self.keyword}` is looked up in the keyword arguments"
        yield Step(self.found.called.module, self.found.asked, message)


WorldUse = WorldCollective | WorldRank | DroppedCommunicator | OmittedCommunicator


def worlds_in_use(function: Function) -> Iterator[WorldUse]:
    """Each use of the world in a function that takes one communicator, and each communicator that a call ignores."""
    own = own_communicator(function)
    if own is not None:
        yield from _of_own(function, own)
    for found in swallowed_communicators(function):
        yield DroppedCommunicator(function, found)


def repair_of(use: WorldUse) -> Repair | None:
    """The fix of a use."""
    return use.repair


def _of_own(function: Function, own: OwnCommunicator) -> Iterator[WorldUse]:
    uses = WorldFinder(function, own)
    if uses.is_exempt:
        return
    for bound in uses.collectives():
        world = named_world(bound)
        if world is not None:
            yield WorldCollective(function, own, bound, world)
    for bound, world, use in uses.handed_on(function.project.get(CommunicatorUses)):
        yield WorldCollective(function, own, bound, world, use)
    for read in uses.ranks():
        yield WorldRank(function, own, read)
    yield from uses.omitted()


def _given(own: OwnCommunicator) -> Step:
    return Step(own.module, own.span, "the caller chooses the communicator")


def _repair(own: OwnCommunicator, place: ir.Span, text: str) -> Repair | None:
    if own.may_be_none:
        return None
    return Repair(Applicability.SAFE, f"use `{text}`", ((place, text),))
