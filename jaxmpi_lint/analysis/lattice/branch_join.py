"""What a name holds where the sides of a divergent branch meet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jaxmpi_lint.analysis.lattice.lattice import ResultOf, Uniformity, Value
from jaxmpi_lint.library.levels import Level


@dataclass(frozen=True, slots=True)
class Taint:
    """What a divergent test adds to a name that gets its value on one side of it, None on the other perhaps."""

    level: Uniformity
    none: bool = False

    def on(self, value: Value) -> Value:
        """The value with what the test adds."""
        noneness = value.noneness.join(self.level) if self.none else value.noneness
        return replace(value, content=value.content.join(self.level), noneness=noneness)


def is_replicated(value: Value) -> bool:
    """Whether a communication gave it to all processes alike."""
    return isinstance(value.entity, ResultOf) and value.content.level is Level.UNIFORM
