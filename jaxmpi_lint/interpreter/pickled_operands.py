"""Objects that reductions of pickled objects cannot combine.

mpi4py applies the operators of lower-case reductions in Python: ``SUM`` by ``x + y``, ``MAX`` and ``MIN`` by ``y > x``
and ``y < x``, the logical ones by ``bool(x)`` (mpi4py, `Op` and its functions for Python objects).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import DefaultDict
from jaxmpi_lint.interpreter.values import MISSING, Instance, Library, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.events import Collective
    from jaxmpi_lint.interpreter.values import ClassValue

_REDUCTIONS = frozenset({"reduce", "allreduce", "scan", "exscan"})
_COMPARING = frozenset({"MAX", "MIN", "LAND", "LOR", "LXOR"})
_SIGNS = {"SUM": "+", "PROD": "*", "MAX": ">", "MIN": "<", "BAND": "&", "BOR": "|", "BXOR": "^"}
_MISSING_SIGNS: dict[type, str] = {
    dict: "+ * > < & ^",
    OrderedDict: "+ * > < & ^",
    DefaultDict: "+ * > < & ^",
    set: "+ *",
    list: "* & | ^",
    tuple: "* & | ^",
    str: "* & | ^",
    type(None): "+ * > < & | ^",
}
"""The operators of `_SIGNS` that the types of Python do not have (Python language reference, section 3.3.8)."""

_METHODS = {"+": ("__add__", "__radd__"), "*": ("__mul__", "__rmul__")}


def check(present: dict[int, Collective]) -> Fault | None:
    """The first rank that passes an operand to which the operator does not apply."""
    for number, event in sorted(present.items()) if len(present) > 1 else ():
        operator = event.operator.dotted.rpartition(".")[2] if isinstance(event.operator, Library) else ""
        if event.kind not in _REDUCTIONS:
            continue
        if isinstance(event.payload, Array):
            size = event.payload.size
            if operator in _COMPARING and size is not None and size > 1 and not event.payload.is_guessed:
                detail = f"`{operator}` is computed in Python here, and an array of {size} elements has no truth value"
                return Fault(Kind.ARRAY_OPERAND, event, number, detail=detail)
        elif _lacks(event.payload, _SIGNS.get(operator, "")):
            detail = f"`{operator}` is computed in Python here, and {_named(event.payload)} has no `{_SIGNS[operator]}`"
            return Fault(Kind.OPERAND, event, number, detail=detail)
    return None


def _lacks(operand: Value, sign: str) -> bool:
    """Whether two objects like the operand surely have no such operator."""
    if isinstance(operand, Instance):
        names = _METHODS.get(sign, ())
        return bool(names) and _is_plain(operand.cls) and all(operand.cls.find(name) is MISSING for name in names)
    return bool(sign) and sign in _MISSING_SIGNS.get(type(operand), "").split()


def _is_plain(cls: ClassValue) -> bool:
    """Whether a class has the methods only that the project writes."""
    is_decorated = any(len(one.ir.decorators) > one.decorators.count("dataclass") for one in cls.order())
    return not (cls.is_data or cls.is_enumeration or cls.has_metaclass or is_decorated)


def _named(operand: Value) -> str:
    if operand is None:
        return "None"
    if isinstance(operand, Instance):
        return f"an object of `{operand.cls.ir.qualname}`"
    return "a dict" if isinstance(operand, dict) else f"a {type(operand).__name__}"
