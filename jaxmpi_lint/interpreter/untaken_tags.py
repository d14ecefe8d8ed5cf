"""Messages with a tag that no receive of a program takes, in whichever passes of its loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.events import Receive, Send
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

_RECEIVING = frozenset(
    {
        "recv", "irecv", "recv_init", "sendrecv", "sendrecv_replace", "isendrecv", "isendrecv_replace", "probe",
        "iprobe", "mprobe", "improbe",
    }
)  # fmt: skip

Site = tuple[str, ir.Span]


def is_never_taken(fault: Fault, world: World) -> bool:
    """Whether every receive of the program has run, each with one tag, and none with that of the message."""
    sent = fault.other
    if fault.kind is not Kind.TAG or not isinstance(sent, Send):
        return False
    tags: dict[Site, set[int]] = {}
    for process in world.processes:
        for event in (*process.log, process.pending):
            if isinstance(event, Receive):
                tags.setdefault((event.place.module.path, event.place.span), set()).add(event.tag)
    if any(len(found) != 1 or not found.isdisjoint({sent.tag, -1}) for found in tags.values()):
        return False
    return all(site in tags for site in _receives(world))


def _receives(world: World) -> Iterator[Site]:
    """The calls in the files of the program that may receive a message, by their names."""
    files = {path: value.ir for process in world.processes for path, value in process.rank.modules.items()}
    for path, module in files.items():
        for function in module.functions.values():
            for call in function.calls():
                if isinstance(call.func, ir.Attribute) and call.func.attr.lower() in _RECEIVING:
                    yield path, call.span
