"""Values that each process makes for itself, as parts of file names: where they are from, and how often they differ.

Facts from Python's documentation of ``tempfile``, ``uuid``, ``random``, ``secrets``, ``os``, ``socket``, ``platform``,
``time`` and ``datetime``.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Variation(StrEnum):
    """How often the values of two processes differ."""

    ALWAYS = "always"
    USUALLY = "usually"
    BETWEEN_HOSTS = "between hosts"


DESCRIPTIONS: dict[Variation, str] = {
    Variation.ALWAYS: "this value is different on each rank",
    Variation.USUALLY: "each rank reads its own clock here",
    Variation.BETWEEN_HOSTS: "this value is different on each host",
}
"""What happens where such a value is made."""

REASONS: dict[Variation, str] = {
    Variation.ALWAYS: "each rank makes a different path for it",
    Variation.USUALLY: "each rank computes its path from its own clock",
    Variation.BETWEEN_HOSTS: "its path differs between hosts",
}
"""Why a path that is meant as one differs."""

HOSTS = frozenset({"socket.gethostname", "socket.getfqdn", "platform.node", "os.uname"})
"""Functions that name the host."""

IDENTITIES = frozenset({"os.getpid", *HOSTS})
"""Functions whose result is the same in each call of one process."""

PORT = "free port"
"""A port that the system chooses for a process."""

TEMPORARY = "tempfile"
"""The module whose functions make a new file or folder in each process."""

FOLDERS = frozenset({"tempfile.mkdtemp", "tempfile.TemporaryDirectory"})
"""Functions that make a folder together with its name."""

FILES = frozenset({"tempfile.mkstemp", "tempfile.NamedTemporaryFile"})
"""Functions that make an empty file together with its name."""

FOLDERS_OF_TESTS = frozenset({"tmp_path", "tmpdir"})
"""Fixtures of pytest: a new folder in each process, since each numbers its folders itself."""

_FINE = re.compile(r"%-?[MSsfTXcrR]")
_DIRECTIVE = re.compile(r"%-?[a-zA-Z]")
_FORMAT = re.compile(r"[\"':]([^\"'{}\n]*%-?[YymjbBH][^\"'{}\n]*)")
_COARSE_NAMES = frozenset({"date", "today", "year", "month", "day", "hour", "weekday", "isoweekday", "isocalendar"})


def is_coarse_format(text: str) -> bool:
    """Whether a format of times shows hours or days only: most ranks compute an equal text."""
    return bool(_DIRECTIVE.search(text)) and not _FINE.search(text)


def is_coarse_part(name: str) -> bool:
    """Whether a method or field of a time gives hours or days only."""
    return name in _COARSE_NAMES


def shows_days(text: str) -> bool:
    """Whether a program has a format of times that shows hours or days only."""
    return any(map(is_coarse_format, _FORMAT.findall(text)))
