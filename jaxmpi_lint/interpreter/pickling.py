"""Objects that `pickle` refuses: the lower-case methods of mpi4py raise an exception where they are sent.

Python, `pickle`: functions and classes are found by their names, so that those of a function and lambdas are none.
Programs that let mpi4py use `dill` or `cloudpickle` send more.
"""

from __future__ import annotations

import re

from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.values import ClassValue, FunctionValue, GeneratorValue, Instance, Value

_DEPTH = 4
_HANDLES = {"file": "an open file"}
_OTHER_PICKLERS = re.compile(r"dill|cloudpickle|MPI\.pickle|copyreg")
_OWN_STATE = ("__getstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__")
_LOCAL = "<locals>"


def obstacle(value: Value, depth: int = _DEPTH) -> str | None:
    """What in a value cannot be pickled, in words; None if nothing is known to prevent it."""
    if isinstance(value, FunctionValue):
        return _of_function(value)
    if isinstance(value, GeneratorValue):
        return "a generator"
    if isinstance(value, Modelled) and value.type_name in _HANDLES:
        return _HANDLES[value.type_name]
    if isinstance(value, Instance) and _LOCAL in value.cls.ir.qualname and _has_plain_state(value.cls):
        return f"an object of the local class `{value.cls.ir.qualname.rpartition('.')[2]}`"
    if depth == 0:
        return None
    return next((found for part in _parts(value) if (found := obstacle(part, depth - 1)) is not None), None)


def names_other_pickler(text: str) -> bool:
    """Whether a file names a library or a setting by which more can be pickled."""
    return _OTHER_PICKLERS.search(text) is not None


def _of_function(function: FunctionValue) -> str | None:
    if function.decorators or function.ir.decorators:
        return None
    if function.ir.kind == "lambda":
        return "a lambda"
    is_local = function.ir.kind == "function" and _LOCAL in function.ir.qualname
    return f"the local function `{function.ir.name}`" if is_local else None


def _parts(value: Value) -> list[Value]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, Instance) and _has_plain_state(value.cls):
        return list(value.fields.values())
    return []


def _has_plain_state(cls: ClassValue) -> bool:
    """Whether the fields of an object are what is pickled."""
    return not cls.bases and not any(name in cls.members for name in _OWN_STATE)
