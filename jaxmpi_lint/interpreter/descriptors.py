"""Functions that a class offers otherwise than as methods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from jaxmpi_lint.interpreter.symbols import freeze


@dataclass(frozen=True, slots=True, eq=False)
class Descriptor:
    """``kind``: property, cached (property), static, class, super (``function`` is object and class).

    ``setter`` and ``deleter`` are those of a property, None if it has none.
    """

    kind: str
    function: Any
    setter: Any = None
    deleter: Any = None

    def changed(self, name: str, function: Any) -> Descriptor:
        """The property with a different ``getter``, ``setter`` or ``deleter``."""
        return replace(self, **{"function" if name == "getter" else name: function})

    def freeze(self, depth: int) -> object:
        """Kind and function."""
        return "descriptor", self.kind, freeze(self.function, depth)
