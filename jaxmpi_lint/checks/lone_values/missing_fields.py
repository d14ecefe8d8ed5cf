"""Fields of objects that no method gives a value on all ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.value_queries import is_none
from jaxmpi_lint.analysis.nondeterminism.field_definitions import FieldDefinitions
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Value


def is_missing_field(function: Function, operand: ir.Expression) -> bool:
    """Whether a field of the own object is None on some ranks, whichever of its assignments was the last one."""
    if not isinstance(operand, ir.Attribute) or ir.dotted(operand.value) != function.self_name:
        return False
    if function.ir.owner not in function.module.classes or _is_written_elsewhere(function, operand.attr):
        return False
    written = list(_written(function, operand.attr))
    return bool(written) and all(is_none(value) or value.noneness.level is Level.RANK for value in written)


def _is_written_elsewhere(function: Function, field: str) -> bool:
    return function.project.get(FieldDefinitions).is_written_elsewhere(field)


def _written(function: Function, field: str) -> Iterator[Value]:
    """What each method of the class, of its bases and of the classes derived from it, leaves in the field."""
    assert function.ir.owner is not None
    own = function.module_model.class_model(function.ir.owner)
    derived = (
        model
        for module in function.project.modules()
        if module.names((field,))
        for name in module.ir.classes
        for model in (module.class_model(name),)
        if own in model.linearization
    )
    for model in dict.fromkeys((*own.linearization, *derived)):
        for qualname in model.ir.methods.values():
            method = model.module_model.function(qualname)
            if function.project.is_running(method):
                continue
            left = method.flow.chosen_fields.get(field, method.flow.field_writes.get(field))
            if left is not None:
                yield left
