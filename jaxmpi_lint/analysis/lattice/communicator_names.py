"""Usual names of communicators and ranks, for values without a known type or import."""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMUNICATOR = re.compile(
    r"_*(?:[a-z0-9]+_)*(?:sub|inter|intra|mpi|world|node|cart|local|global|row|col|column|new|i)?_?comm(?:unicator)?"
    r"(?:_?(?:world|self|group|rank|node|row|col|column|cart|local|global|shared|mpi|time|space|\d+|[xyz]))*_*",
    re.IGNORECASE,
)
_NOT_COMMUNICATOR = re.compile(
    r"^_*(?:use[sd]?|using|is|has|have|no|not|do|does|with|without|skip|enabled?|disabled?|needs?|allow|want|num)_"
    r"|(?:rank|size|id|name|dtype|type)_*$",
    re.IGNORECASE,
)


class Words:
    """The built-in patterns and a project's additional words."""

    def __init__(self, communicators: Sequence[str] = ()) -> None:
        self._communicators = frozenset(communicators)
        self._known: dict[str, bool] = {}

    def names_communicator(self, name: str) -> bool:
        """Whether a variable, parameter or attribute of this name is usually a communicator."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._looks_like_communicator(name)
        return known

    def _looks_like_communicator(self, name: str) -> bool:
        if name in self._communicators:
            return True
        return "omm" in name.lower() and bool(_COMMUNICATOR.fullmatch(name)) and not _NOT_COMMUNICATOR.search(name)
