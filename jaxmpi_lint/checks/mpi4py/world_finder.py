"""Uses of ``COMM_WORLD`` in functions that take a communicator, as a pipeline: uses, then exemptions in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption, Recorder, Ruling, Stage, ruling
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator, own_communicator
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUses
from jaxmpi_lint.checks.mpi4py.omitted_communicators import OmittedCommunicator, omitted_communicators
from jaxmpi_lint.checks.mpi4py.world_exemptions import EXEMPTIONS, OF_A_COLLECTIVE, OF_THE_FUNCTION, WorldCandidate
from jaxmpi_lint.checks.mpi4py.world_uses import WorldUses

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module
    from jaxmpi_lint.analysis.lattice.trace import Trace
    from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse
    from jaxmpi_lint.checks.mpi4py.world_reads import WorldRead


class WorldFinder:
    """Finds the uses of one function; ``trace`` records the stages of each."""

    def __init__(self, function: Function, own: OwnCommunicator, trace: Trace | None = None) -> None:
        self._function = function
        self._own = own
        self._uses = WorldUses(function, own)
        self._trace = trace

    @cached_property
    def is_exempt(self) -> bool:
        """Whether the function as a whole may use both."""
        return self._of_function.is_silent

    @cached_property
    def _of_function(self) -> Ruling[WorldCandidate]:
        return ruling(OF_THE_FUNCTION, WorldCandidate(self._uses, self._function.ir.span))

    def collectives(self) -> Iterator[BoundCall]:
        """Collectives on the world."""
        for block, bound in self._uses.collectives():
            candidate = WorldCandidate(self._uses, bound.call.span, block, bound)
            if self._is_left(candidate, OF_A_COLLECTIVE):
                self._report(candidate, f"`{_method(bound)}` is called on MPI.COMM_WORLD")
                yield bound

    def handed_on(self, uses: CommunicatorUses) -> Iterator[tuple[BoundCall, ir.Expression, CommunicatorUse]]:
        """Calls of functions of the project that take the world and call a collective on it."""
        for bound, place, use in self._uses.handed_on(uses):
            candidate = WorldCandidate(self._uses, bound.call.span)
            if self._is_left(candidate):
                self._report(candidate, f"the called function calls `{use.operation.method}` on MPI.COMM_WORLD")
                yield bound, place, use

    def ranks(self) -> Iterator[WorldRead]:
        """Reads of the world's rank or size that control what happens on the given communicator."""
        for read in self._uses.ranks():
            candidate = WorldCandidate(self._uses, read.span)
            if self._is_left(candidate):
                self._report(candidate, f"the rank or size in MPI.COMM_WORLD {read.decides}")
                yield read

    def omitted(self) -> Iterator[OmittedCommunicator]:
        """Calls that leave a communicator to its default, the world."""
        for found in omitted_communicators(self._function, self._own):
            candidate = WorldCandidate(self._uses, found.bound.call.span)
            if self._is_left(candidate):
                self._report(candidate, f"the called function calls `{found.method}` on its default, MPI.COMM_WORLD")
                yield found

    def _is_left(self, candidate: WorldCandidate, asked: Sequence[Exemption[WorldCandidate]] = ()) -> bool:
        """Whether neither the function nor the use is exempt."""
        found = self._of_function
        if not found.is_silent:
            found = ruling(asked, candidate)
        if self._trace is not None:
            given = Place(self._own.module, self._own.span)
            own = Evidence(f"`{self._own.text}`", given)
            self._trace.record(candidate.subject, [Stage("communicator", "the function takes one", (own,))])
            self._trace.record(candidate.subject, found.stages())
        return not found.is_silent

    def _report(self, candidate: WorldCandidate, seen: str) -> None:
        if self._trace is not None:
            place = Place(self._function.module, candidate.span)
            self._trace.record(candidate.subject, [Stage("result", "reported", (Evidence(seen, place),), code="JM412")])


def _method(bound: BoundCall) -> str:
    return bound.operation.method if bound.operation is not None else ""


class WorldTracer:
    """The uses of the world in a file, for JM412."""

    exemptions: tuple[Exemption[Any], ...] = EXEMPTIONS

    def record(self, function: Function, trace: Trace) -> None:
        """Run the analysis on a function."""
        own = own_communicator(function)
        if own is not None:
            finder = WorldFinder(function, own, trace)
            for _ in (
                *finder.collectives(),
                *finder.handed_on(function.project.get(CommunicatorUses)),
                *finder.ranks(),
                *finder.omitted(),
            ):
                pass

    def subjects(self, module: Module, row: int) -> tuple[list[tuple[Function, ir.Span]], str]:
        """The uses in a row."""
        recorder = Recorder()
        found = []
        for function in module.functions():
            self.record(function, recorder)
            spans = (subject.span for subject in recorder.stages if subject.function == function.ir.qualname)
            found += [(function, span) for span in spans if _is_at(module, span, row)]
        return found, self._why_nothing(module, row)

    @staticmethod
    def _why_nothing(module: Module, row: int) -> str:
        around = [f for f in module.functions() if f.ir.kind != "module" and _is_at(module, f.ir.span, row)]
        if not any(own_communicator(function) is not None for function in around):
            return f"line {row} is in no function that takes exactly one communicator"
        return f"line {row} has no collective on MPI.COMM_WORLD, and no read of its rank that controls communication"


def _is_at(module: Module, span: ir.Span, row: int) -> bool:
    first, last = (module.ir.position(offset)[0] for offset in span)
    return first <= row <= last
