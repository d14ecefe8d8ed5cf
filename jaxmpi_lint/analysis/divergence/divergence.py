"""A divergence that was found, and the rule that speaks of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.interfaces import Event
from jaxmpi_lint.analysis.lattice.lattice import PROCESSES, Uniformity
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class Divergence:
    """A branch after which some processes communicate and the others do not.

    ``event`` is the first call that only the processes on one side reach: those for which the test is ``truth``.
    ``others_next`` is what the other processes reach instead (None: nothing more in this function). ``kind`` is
    ``branch`` (the event lies in the statement), ``exit`` (behind it, the others have left), ``loop`` (the number of
    passes differs), ``short-circuit`` or ``mismatch`` (both sides communicate, but differently).
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

    @property
    def code(self) -> str:
        """The rule that speaks of it: the source of the difference, else the shape it has."""
        if self.test.level is Level.LOCAL and self.test.source is None:
            return "JM113"
        if self.test.source in _CODES_OF_SOURCES:
            return _CODES_OF_SOURCES[self.test.source]
        if is_of_jax_processes(self.event):
            return "JM601"
        if self.kind == "branch" and self.event.trail:
            return "JM105"
        return _CODES_OF_KINDS[self.kind]


_CODES_OF_SOURCES = {Source.FILES: "JM109", Source.CLOCK: "JM112", Source.RANDOM: "JM804", Source.CACHE: "JM111"}
_CODES_OF_KINDS = {
    "branch": "JM101",
    "exit": "JM102",
    "mismatch": "JM104",
    "loop": "JM108",
    "short-circuit": "JM114",
}


def is_of_jax_processes(event: Event) -> bool:
    """Whether all JAX processes take part, not the ranks of an MPI communicator."""
    return event.communicator is not None and event.communicator.context == PROCESSES
