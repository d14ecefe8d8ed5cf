"""Functions that a class offers otherwise than as methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jaxmpi_lint.interpreter.symbols import freeze


@dataclass(frozen=True, slots=True, eq=False)
class Descriptor:
    """``kind``: property, cached (property), static, class, super (``function`` is object and class)."""

    kind: str
    function: Any

    def freeze(self, depth: int) -> object:
        """Kind and function."""
        return "descriptor", self.kind, freeze(self.function, depth)
