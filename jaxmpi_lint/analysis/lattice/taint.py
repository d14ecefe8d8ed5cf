"""Effects of divergent tests on names, where the sides of the test meet."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import UNKNOWN, Container, Record, Uniformity, Value, common


@dataclass(frozen=True, slots=True)
class Taint:
    """The effect of a divergent test on a name that is assigned on one side of it, and may be None on the other.

    ``resized``: it has more elements on one side; ``place`` is that of an object that is changed in place, ``keys`` are
    those of the entries that are assigned, None if they are unknown. ``settles``: nothing is known of it
    afterwards; ``settles_none``: nothing is known of whether it is None.
    """

    level: Uniformity
    none: bool = False
    resized: bool = False
    place: ir.Expression | None = None
    keys: frozenset[object] | None = None
    settles: bool = False
    settles_none: bool = False

    def on(self, value: Value) -> Value:
        """The value with the effect of the test."""
        if self.settles:
            return replace(value, content=UNKNOWN, structure=UNKNOWN, noneness=UNKNOWN, elements=None)
        if self.settles_none:
            return replace(value, noneness=UNKNOWN)
        noneness = value.noneness.join(self.level) if self.none else value.noneness
        structure = value.structure.join(self.level) if self.resized else value.structure
        elements, content = value.elements, value.content.join(self.level)
        if isinstance(value.entity, Record) and elements is not None and self.keys is not None:
            keys = value.entity.keys
            elements = tuple(
                one.of_content(one.content.join(self.level)) if key in self.keys else one
                for key, one in zip(keys, elements, strict=True)
            )
            content = common([one.content for one in elements])
        elif self.place is not None:
            elements = None
            content = value.content.join(UNKNOWN if _is_mapping(value) else self.level)
        return replace(value, content=content, structure=structure, noneness=noneness, elements=elements)


def _is_mapping(value: Value) -> bool:
    """Whether different keys select values of different origin."""
    return isinstance(value.entity, Record) or value.entity in (Container("dict"), Container("defaultdict"))
