"""Levels and sources of values that may differ between processes."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """Why a value may differ between processes."""

    UNIFORM = "uniform"
    RANK = "rank"  # computed from the process's own rank
    ORDER = "order"  # order of a set, a listing, a hash
    LOCAL = "local"  # local or received data, clock, host, unseeded random, file system
    UNKNOWN = "unknown"

    def __init__(self, level: str) -> None:
        self.diverges = level in ("rank", "order", "local")
        """Whether the reason is known and makes processes differ."""


class Source(StrEnum):
    """The source of per-process data; it determines the rule that reports the divergence."""

    CLOCK = "clock"
    FILES = "files"
    LISTING = "listing"
    RANDOM = "random"
    MACHINE = "machine"  # host, process number: as different as ranks
    CACHE = "cache"  # contents that depend on garbage collection
    SHARE = "share"  # the part that a collective returned to this process
    ELEMENT = "element"  # the element of common data that the rank selects
