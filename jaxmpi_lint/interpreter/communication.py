"""Whether a world communicates: a program of one process has no order of ranks to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.events import Collective, Receive, Send

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World


def is_of_several(world: World) -> bool:
    """Whether the program is meant for several processes: it communicates, or asks how many there are."""
    return not world.is_of_one and (bool(world.reads_size) or communicates(world))


def communicates(world: World) -> bool:
    """Whether a rank has communicated."""
    logs = (event for process in world.processes for event in process.log)
    return any(isinstance(event, (Collective, Send, Receive)) for event in logs)
