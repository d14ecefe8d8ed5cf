"""Tests for a value that a name never has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def has_one_outcome(function: Function, test: ir.Expression) -> bool:
    """Whether a test compares a name with a value that none of its assignments gives: ``color == MPI.UNDEFINED``."""
    match test:
        case ir.Comparison(operands=(ir.Name(id=name), value), operators=("==" | "!=",)):
            given = _constants(function, name)
            return given is not None and not _may_equal(function, value, given)
    return False


def _constants(function: Function, name: str) -> set[object] | None:
    """The constants that are assigned to a name; None if it may have other values."""
    found = visible_definitions(function, name)
    if found is None or found[0] is not function or not found[1] or name in function.written_inside:
        return None
    constants = [value for value in found[1] if isinstance(value, ir.Constant)]
    return {one.value for one in constants} if len(constants) == len(found[1]) else None


def _may_equal(function: Function, expression: ir.Expression, given: set[object]) -> bool:
    entity = function.value(expression, function.flow.exit).entity
    if isinstance(entity, Literal):
        return entity.value in given
    return not (isinstance(entity, Named) and entity.dotted == "mpi4py.MPI.UNDEFINED" and min(map(_number, given)) >= 0)


def _number(value: object) -> int:
    """A constant as a number; a negative one for anything that `MPI.UNDEFINED` might equal."""
    return value if isinstance(value, int) else -1
