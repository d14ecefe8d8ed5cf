"""`operator`: operators as functions, some of which change their first operand in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import assignment, attributes, buffers, identity, operations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.libraries.builtin_loops import elements
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.values import MISSING, Cut, Instance, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
    "or_": "|", "xor": "^", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lshift": "<<",
    "rshift": ">>", "concat": "+",
}  # fmt: skip
_IN_PLACE = {
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**", "iand": "&",
    "ior": "|", "ixor": "^", "ilshift": "<<", "irshift": ">>", "iconcat": "+",
}  # fmt: skip


def _operator(sign: str) -> Handler:
    return lambda rank, arguments: operations.binary(rank, sign, arguments.get(0), arguments.get(1))


def _in_place(name: str, sign: str) -> Handler:
    """``operator.iadd(x, y)``: changes a container or an array, and returns it."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        left, right = arguments.get(0), arguments.get(1)
        method = attributes.special(left, f"__{name}__")
        if method is not MISSING:
            return (yield from rank.call(method, (left, right), {}, rank.state["span"]))
        if isinstance(left, list) and sign == "+":
            left += yield from elements(rank, right)
            return left
        result = operations.binary(rank, sign, left, right)
        if isinstance(left, Array) and not left.is_jax:
            buffers.write(rank, left)
            assignment.change(rank, left, result)
            return left
        if isinstance(left, (list, set, dict)):
            _replace(left, result)
            return left
        return result

    return call


def _replace(container: Value, result: Value) -> None:
    """Give a container the items of another one."""
    if not isinstance(result, type(container)):
        raise Cut("a container that is changed by what is not known")
    items = result.copy()
    container.clear()
    container.extend(items) if isinstance(container, list) else container.update(items)


def _set_item(rank: Rank, arguments: Arguments) -> Running:
    container, index, value = (arguments.get(at) for at in range(3))
    method = attributes.special(container, "__setitem__")
    if method is not MISSING:
        yield from rank.call(method, (container, index, value), {}, rank.state["span"])
    elif isinstance(container, Instance):
        raise Cut("an item of an object")
    else:
        assignment.store(rank, container, index, value)
    return None


def _delete_item(rank: Rank, arguments: Arguments) -> Running:
    container, index = arguments.get(0), arguments.get(1)
    method = attributes.special(container, "__delitem__")
    if method is not MISSING:
        yield from rank.call(method, (container, index), {}, rank.state["span"])
    elif isinstance(container, Instance):
        raise Cut("an item of an object")
    else:
        assignment.remove(rank, container, index)
    return None


def _get_item(rank: Rank, arguments: Arguments) -> Running:
    container, index = arguments.get(0), arguments.get(1)
    method = attributes.special(container, "__getitem__")
    if method is not MISSING:
        return (yield from rank.call(method, (container, index), {}, rank.state["span"]))
    return operations.item(rank, container, index)


FUNCTIONS: dict[str, Any] = {
    **{f"operator.{name}": _operator(sign) for name, sign in _OPERATORS.items()},
    **{f"operator.{name}": _in_place(name, sign) for name, sign in _IN_PLACE.items()},
    "operator.setitem": _set_item,
    "operator.delitem": _delete_item,
    "operator.getitem": _get_item,
    "operator.not_": lambda rank, arguments: not rank.truth(arguments.get(0)),
    "operator.truth": lambda rank, arguments: rank.truth(arguments.get(0)),
    "operator.is_": lambda rank, arguments: identity.compare(rank, "is", arguments.get(0), arguments.get(1)),
    "operator.neg": lambda rank, arguments: operations.unary(rank, "-", arguments.get(0)),
}
PURE = ("operator",)
