"""Buffer arguments of mpi4py's upper-case methods: an object, or a list of object, counts, displacements, datatype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.library.constants import Constant, constant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class Specification:
    """One buffer argument, parsed; ``displaced``: the data does not begin at the object's start."""

    buffer: ir.Expression
    count: ir.Expression | None = None
    displaced: bool = False
    datatype: ir.Expression | None = None


def specification(argument: ir.Expression | None) -> Specification | None:
    """The parts of a buffer argument; None for one that is absent or whose parts are not literal."""
    if argument is None or isinstance(argument, (ir.Constant, ir.Starred)):
        return None
    if not isinstance(argument, ir.Collection):
        return Specification(argument)
    elements = argument.elements
    if argument.kind == "set" or not elements or any(isinstance(element, ir.Starred) for element in elements):
        return None
    match elements:
        case (buffer,):
            return Specification(buffer)
        case (buffer, last):
            if isinstance(last, (ir.Attribute, ir.Name)):
                return Specification(buffer, None, False, last)  # counts in a variable: the datatype is unknown
            return Specification(buffer, last, isinstance(last, ir.Collection))
        case (buffer, counts, datatype):
            return Specification(buffer, counts, isinstance(counts, ir.Collection), datatype)
        case (buffer, counts, _, datatype):
            return Specification(buffer, counts, True, datatype)
    return None


def datatype_of(function: Function, spec: Specification, env: Environment) -> Constant | None:
    """The predefined datatype that a specification names."""
    if spec.datatype is None:
        return None
    entity = function.value(spec.datatype, env).entity
    found = constant(entity.dotted) if isinstance(entity, Named) else None
    return found if found is not None and found.type == "Datatype" else None
