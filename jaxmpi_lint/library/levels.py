"""Why processes may disagree about a value, and where such a value comes from."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """Why processes may disagree about a value."""

    UNIFORM = "uniform"
    RANK = "rank"  # computed from the process's own rank
    ORDER = "order"  # order of a set, a listing, a hash
    LOCAL = "local"  # own or received data, clock, host, unseeded random, file system
    UNKNOWN = "unknown"

    def __init__(self, level: str) -> None:
        self.diverges = level in ("rank", "order", "local")
        """Whether the reason is known and makes processes differ."""


class Source(StrEnum):
    """Where something comes from that only one process knows; it decides which rule speaks."""

    CLOCK = "clock"
    FILES = "files"
    LISTING = "listing"
    RANDOM = "random"
    MACHINE = "machine"  # host, process number: as different as ranks
    CACHE = "cache"  # what the garbage collector has left
    SHARE = "share"  # what a collective gave to this process alone
