"""`jax.numpy` and its relatives: the functions of numpy with immutable results, and pure functions of keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import array_changes, arrays
from jaxmpi_lint.interpreter.arrays import Array, as_shape, of_symbol
from jaxmpi_lint.interpreter.libraries.jax_functions import traces
from jaxmpi_lint.interpreter.libraries.jax_launches import launch, use_devices
from jaxmpi_lint.interpreter.libraries.jax_values import SHARDED, as_jax, is_global, leaves
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Library, Running, Value
from jaxmpi_lint.library.jax_table import BACKEND_FREE, BACKEND_FREE_MODULES

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_SCALARS = frozenset({"float32", "float64", "int32", "int64", "float16", "bfloat16", "bool_", "complex64", "uint8"})


def _family(dotted: str, same: Handler | None) -> Handler:
    """A function of `jax.numpy`, `jax.lax`, `jax.nn` and so on; ``same`` is numpy's."""
    is_free = dotted in BACKEND_FREE or dotted.startswith(tuple(BACKEND_FREE_MODULES))

    def call(rank: Rank, arguments: Arguments) -> Running:
        if not is_free:
            use_devices(rank)
        given = [leaf for value in arguments.every() for leaf in leaves(value)]
        spread = next((leaf for leaf in given if is_global(leaf)), None)
        if spread is not None:
            if any(isinstance(leaf, Symbol) and leaf.kind == SHARDED for leaf in given) and not traces(rank).stack:
                yield from launch(rank, dotted.rpartition(".")[2], dotted, given)
            return rank.symbol("call", Library(dotted), *arguments.values, dict(arguments.keywords), kind=spread.kind)
        if same is None:
            return _plain(rank, dotted, arguments)
        result = same(rank, arguments)
        if rank.models.communicates(same):
            result = yield from result
        return as_jax(result)

    return call


def _plain(rank: Rank, dotted: str, arguments: Arguments) -> Value:
    name = dotted.rpartition(".")[2]
    kind = "float" if name.startswith("float") else "int" if name.startswith("int") else ""
    value = arguments.get(0)
    if name in _SCALARS and isinstance(value, (int, float)):
        return float(value) if kind == "float" else value
    return rank.symbol("call", Library(dotted), *arguments.values, dict(arguments.keywords))


# --- random numbers ---


def _random(position: int) -> Callable[[str], Handler]:
    """A function of a key that draws an array; ``position`` is that of its shape."""

    def make(dotted: str) -> Handler:
        def call(rank: Rank, arguments: Arguments) -> Value:
            use_devices(rank)
            symbol = rank.symbol("call", Library(dotted), *arguments.values, dict(arguments.keywords))
            shape = as_shape(arguments.get(position, "shape", ()))
            return symbol if shape is None else as_jax(of_symbol(symbol, shape, ""))

        return call

    return make


_SHAPES = {
    "normal": 1, "uniform": 1, "exponential": 1, "gumbel": 1, "laplace": 1, "randint": 1, "bernoulli": 2,
    "truncated_normal": 3, "rademacher": 1,
}  # fmt: skip


# --- x.at[i].set(v) ---


class Updated(Modelled):
    """``x.at`` and ``x.at[index]``."""

    __slots__ = ("array", "index")
    type_name = "updated array"

    def __init__(self, array: Value, index: Value = None) -> None:
        self.array = array
        self.index = index

    def freeze(self, depth: int) -> object:
        """Array and index."""
        return "at", freeze(self.array, depth), freeze(self.index, depth)

    def item(self, rank: Rank, index: Value) -> Value:
        """``x.at[index]``."""
        return Updated(self.array, index)


def _update(operator: str) -> Callable[..., Any]:
    def call(rank: Rank, target: Updated, arguments: Arguments) -> Value:
        array, value = target.array, arguments.get(0)
        if not isinstance(array, Array):
            return rank.symbol("updated", operator, array, target.index, value)
        changed = array.copy()
        if operator in ("set", "+", "-", "*", "/"):
            if operator != "set":
                value = rank.binary(operator, arrays.item(rank, changed, target.index), value)
            array_changes.assign(rank, changed, target.index, value)
        else:
            array_changes.forget(rank, changed, operator, target.index, value)
        return as_jax(changed)

    return call


_UPDATES = {"set": "set", "add": "+", "subtract": "-", "multiply": "*", "mul": "*", "divide": "/"}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "updated array": {
        **{name: _update(operator) for name, operator in _UPDATES.items()},
        **{name: _update(name) for name in ("min", "max", "power", "apply")},
        "get": lambda rank, target, arguments: rank.symbol("item", target.array, target.index),
    }
}
FUNCTIONS: dict[str, Any] = {
    **{f"jax.random.{name}": _random(at)(f"jax.random.{name}") for name, at in _SHAPES.items()},
    "ndarray.at:attribute": lambda rank, array: Updated(array),
}
FAMILIES: dict[str, tuple[str, Callable[[str, Handler | None], Handler]]] = {
    "jax.numpy.": ("numpy.", _family),
    "jax.lax.": ("", _family),
    "jax.nn.": ("", _family),
    "jax.scipy.": ("", _family),
    "jax.random.": ("", _family),
    "jax.image.": ("", _family),
    "jax.ops.": ("", _family),
}
