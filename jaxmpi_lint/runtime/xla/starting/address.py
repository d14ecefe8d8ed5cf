"""The address of a coordinator: whether it is on this host, and whether a process listens there."""

from __future__ import annotations

import socket
from functools import lru_cache

_LOOPBACK = ("localhost", "::1", "0.0.0.0", "::")
_LISTENS = "0A"


def normalised(address: str) -> str:
    """One text for the names of one address: ``localhost:1234`` for each name of this host."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    return f"localhost:{port}" if is_here(host) else address


def is_loopback(host: str) -> bool:
    """Whether only processes of this host can connect to it."""
    return host.strip("[]") in _LOOPBACK or host.startswith("127.")


@lru_cache(64)
def is_here(host: str) -> bool:
    """Whether a name or a number belongs to this host; no name server is asked."""
    if is_loopback(host) or host in (socket.gethostname(), socket.gethostname().partition(".")[0]):
        return True
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.inet_pton(family, host)
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((host, 0))
    except OSError:
        return False
    return True


def has_listener(port: int) -> bool | None:
    """Whether a process of this host listens on a TCP port; None if the kernel does not show it."""
    try:
        return any(_listens(name, port) for name in ("/proc/net/tcp", "/proc/net/tcp6"))
    except OSError:
        return None


def _listens(name: str, port: int) -> bool:
    with open(name, encoding="ascii") as file:
        rows = [line.split() for line in file][1:]
    return any(int(row[1].rpartition(":")[2], 16) == port and row[3] == _LISTENS for row in rows)
