"""A divergence that was found, and its classification."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import PROCESSES, Uniformity
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Cause(StrEnum):
    """Classification of a divergence; exactly one rule reports each."""

    LOCAL_DATA = "local data"
    FILES = "files"
    CLOCK = "clock"
    RANDOM = "random"
    CACHE = "cache"
    JAX_PROCESSES = "JAX processes"
    CALL = "call"
    BRANCH = "branch"
    EXIT = "exit"
    MISMATCH = "mismatch"
    LOOP = "loop"
    SHORT_CIRCUIT = "short-circuit"


@dataclass(frozen=True, slots=True)
class Divergence:
    """A branch after which some processes communicate and the others do not.

    ``event`` is the first call that only the processes on one side reach: those for which the test is ``truth``.
    ``others_next`` is the next event of the other processes (None: no more in this function). ``kind`` is ``branch``
    (the event lies in the statement), ``exit`` (it lies after the statement, where the other processes have exited),
    ``loop`` (the trip count differs), ``short-circuit`` or ``mismatch`` (both sides communicate, but differently).
    ``is_assumed`` if calls of unknown communication are made before.
    """

    function: Function
    branch: ir.Branch
    test: Uniformity
    truth: bool
    kind: str
    event: Event
    others_next: Event | None
    in_role_loop: bool
    sides: tuple[str, str]
    is_assumed: bool = False

    @property
    def cause(self) -> Cause:
        """The classification: the source of the difference, otherwise its shape."""
        if self.test.level is Level.LOCAL and self.test.source is None:
            return Cause.LOCAL_DATA
        if self.test.source in _OF_SOURCES:
            return _OF_SOURCES[self.test.source]
        if is_of_jax_processes(self.event):
            return Cause.JAX_PROCESSES
        if self.kind == "branch" and self.event.trail:
            return Cause.CALL
        return Cause(self.kind)


_OF_SOURCES = {
    Source.FILES: Cause.FILES,
    Source.CLOCK: Cause.CLOCK,
    Source.RANDOM: Cause.RANDOM,
    Source.CACHE: Cause.CACHE,
    Source.ELEMENT: Cause.LOCAL_DATA,
}


def is_of_jax_processes(event: Event) -> bool:
    """Whether all JAX processes participate, not the ranks of an MPI communicator."""
    return event.communicator is not None and event.communicator.context == PROCESSES
