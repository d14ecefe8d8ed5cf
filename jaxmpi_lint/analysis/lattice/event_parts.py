"""Parts of communication events: roots and operators that must agree, and places in called functions."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxmpi_lint.analysis import ir as nodes
from jaxmpi_lint.analysis.lattice.lattice import Uniformity

SIZES = (2, 3, 4, 5)
"""Numbers of processes for which roots are computed."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """A root or a reduction operator: its value if it is ``known``, otherwise its source text.

    ``ranks`` are the roots in communicators of a few sizes, if the size determines them.
    """

    text: str = ""
    known: bool = True
    uniformity: Uniformity = field(default=Uniformity(), compare=False)
    ranks: tuple[int, ...] = field(default=(), compare=False)

    def surely_differs(self, other: Agreed) -> bool:
        """Whether two are different for every number of processes."""
        if self.known and other.known:
            return self.text != other.text
        mine, theirs = self._by_size(), other._by_size()
        return bool(mine and theirs) and all(a != b for a, b in zip(mine, theirs, strict=True))

    def _by_size(self) -> tuple[int, ...]:
        return (int(self.text),) * len(SIZES) if self.known and self.text.isdigit() else self.ranks


@dataclass(frozen=True, slots=True)
class Place:
    """A call inside a called function."""

    module: nodes.Module
    span: nodes.Span


SAME = Agreed()
"""The value for an event without a root or operator."""
