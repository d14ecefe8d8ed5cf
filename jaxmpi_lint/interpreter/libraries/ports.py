"""Ports of network sockets: the one that the system chooses for a process is its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.library.python.process_values import PORT

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_BOUND = "addresses of sockets"


def _socket(rank: Rank, arguments: Arguments) -> Value:
    return rank.own("machine", "socket.socket", kind="socket")


def _bind(rank: Rank, socket: Symbol, arguments: Arguments) -> Value:
    """``bind((host, port))``: with port 0 the system chooses one."""
    address = arguments.get(0)
    if isinstance(address, tuple) and len(address) > 1 and isinstance(address[1], int) and address[1] == 0:
        address = (address[0], rank.own("machine", PORT, kind="int"), *address[2:])
    rank.state.setdefault(_BOUND, {})[socket] = address


def _name(rank: Rank, socket: Symbol, arguments: Arguments) -> Value:
    """``getsockname()``: the host and the port."""
    address = rank.state.get(_BOUND, {}).get(socket)
    return address if isinstance(address, tuple) else rank.symbol("socket name", socket, address)


def _unused_port(rank: Rank, arguments: Arguments) -> Value:
    """`portpicker.pick_unused_port`."""
    return rank.own("machine", PORT, kind="int")


FUNCTIONS: dict[str, Handler] = {
    "socket.socket": _socket,
    "portpicker.pick_unused_port": _unused_port,
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {"socket": {"bind": _bind, "getsockname": _name}}
