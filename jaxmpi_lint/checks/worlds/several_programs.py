"""Programs that one job starts together: ``mpirun -n 1 host.py : -n 2 worker.py``.

In one of them, ranks only receive; in another one of the same folder, ranks only send, and what they send is what the
first one waits for. Each of them alone has messages without a partner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from jaxmpi_lint.interpreter.events import Receive, Send
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

_ANY = -1


def doubt_partners(explored: Iterable[Explored]) -> None:
    """Take the messages without a partner for uncertain where another program has the partner."""
    lone = [(one, kind) for one in explored if (kind := _lone_kind(one)) is not None]
    for receiving, kind in lone:
        for sending, other in lone if kind is Kind.UNMATCHED_RECEIVE else ():
            if other is Kind.UNMATCHED_SEND and _folder(receiving) == _folder(sending) and _fit(receiving, sending):
                for found in (*receiving.found, *sending.found):
                    found.doubt()


def _folder(explored: Explored) -> PurePath:
    return PurePath(explored.entry.path).parent


def _lone_kind(explored: Explored) -> Kind | None:
    """Whether all faults of a program are receives without a send, or the reverse, and nothing goes the other way."""
    kinds = {found.fault.kind for found in explored.found}
    if explored.entry.function or len(kinds) != 1:
        return None
    (kind,) = kinds
    opposite = {Kind.UNMATCHED_RECEIVE: Send, Kind.UNMATCHED_SEND: Receive}.get(kind)
    if opposite is None:
        return None
    logged = (event for found in explored.found for process in found.world.processes for event in process.log)
    return None if any(isinstance(event, opposite) for event in logged) else kind


def _fit(receiving: Explored, sending: Explored) -> bool:
    """Whether a message that one program sends is one that the other waits for."""
    return any(_matches(one, other) for one in _faults(receiving) for other in _faults(sending))


def _faults(explored: Explored) -> Iterator[Fault]:
    return (found.fault for found in explored.found)


def _matches(receive: Fault, send: Fault) -> bool:
    wanted, sent = receive.event, send.event
    if not isinstance(wanted, Receive) or not isinstance(sent, Send):
        return False
    return sent.dest == receive.rank and wanted.source in (_ANY, send.rank) and wanted.tag in (_ANY, sent.tag)
