"""Trees of JAX taken apart and put together again: as a list of leaves, or as one flat array."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array, of_symbol
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.libraries.jax_values import as_jax, is_global, leaves, tree_map
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Instance, Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Structure(Modelled):
    """The form of a tree."""

    __slots__ = ("tree",)
    type_name = "tree structure"

    def __init__(self, tree: Value) -> None:
        self.tree = tree_map(lambda _: 0, tree)

    def freeze(self, depth: int) -> object:
        """The form."""
        return "tree structure", freeze(self.tree, depth)

    def attribute(self, rank: Rank, name: str) -> Value:
        """The number of leaves is not known: some may be trees."""
        return rank.symbol("leaves of", self, kind="int") if name == "num_leaves" else Method(self, name)


class Unravelling(Modelled):
    """The function that makes a tree of a flat array."""

    __slots__ = ("tree",)
    type_name = "unravelling"

    def __init__(self, tree: Value) -> None:
        self.tree = tree

    def freeze(self, depth: int) -> object:
        """The form of the tree."""
        return "unravelling", freeze(tree_map(lambda _: 0, self.tree), depth)


GUESSED_LEAVES = 2
"""Leaves of a tree of which nothing is known."""


# --- one flat array ---


def _ravel(rank: Rank, arguments: Arguments) -> Value:
    """``ravel_pytree(tree)``: the flat array and the function that makes a tree of it again."""
    tree = arguments.get(0, "pytree")
    given = leaves(tree)
    symbol = rank.symbol("ravelled", *given, kind=next((leaf.kind for leaf in given if is_global(leaf)), ""))
    sizes = [_size(leaf) for leaf in given]
    known = [size for size in sizes if size is not None]
    if symbol.kind or len(known) < len(sizes):
        return symbol, Unravelling(tree)
    is_guessed = any(isinstance(leaf, Array) and leaf.is_guessed for leaf in given)
    return as_jax(of_symbol(symbol, None if is_guessed else (sum(known),), "")), Unravelling(tree)


def _size(leaf: Value) -> int | None:
    if isinstance(leaf, Array):
        return leaf.size
    return 1 if isinstance(leaf, (bool, int, float, complex)) else None


def _unravel(rank: Rank, unravelling: Unravelling, arguments: Arguments) -> Value:
    """A tree of the known form; its leaves are computed from the array."""
    places = iter(range(len(leaves(unravelling.tree))))

    def one(leaf: Value) -> Value:
        symbol = rank.symbol("unravelled", arguments.get(0), next(places))
        return as_jax(of_symbol(symbol, leaf.shape, leaf.dtype)) if isinstance(leaf, Array) else symbol

    return tree_map(one, unravelling.tree)


# --- lists of leaves ---


def _leaves(rank: Rank, arguments: Arguments) -> Value:
    return _list_of(rank, arguments.get(0, "tree"))


def _list_of(rank: Rank, tree: Value) -> Value:
    """The leaves; their number is guessed if some may be trees themselves, and does not depend on data."""
    unknown = [
        leaf for leaf in leaves(tree) if isinstance(leaf, Instance) or (isinstance(leaf, Symbol) and not leaf.kind)
    ]
    if not unknown and isinstance(tree, (list, tuple, dict)):
        return leaves(tree)
    whole = rank.symbol("leaves", tree, kind="list")
    if not whole.own:
        return whole
    if isinstance(tree, (list, tuple, dict)):
        return GuessedList(leaves(tree))
    return GuessedList(rank.symbol("item", whole, place) for place in range(GUESSED_LEAVES))


def _flatten(rank: Rank, arguments: Arguments) -> Value:
    """``tree_flatten(tree)``: the leaves and the form."""
    tree = arguments.get(0, "tree")
    return _list_of(rank, tree), Structure(tree)


def _structure(rank: Rank, arguments: Arguments) -> Value:
    return Structure(arguments.get(0, "tree"))


def _unflatten(rank: Rank, arguments: Arguments) -> Value:
    """``tree_unflatten(form, leaves)``."""
    return _of_leaves(rank, arguments.get(0, "treedef"), arguments.get(1, "leaves"))


def _of_leaves(rank: Rank, structure: Value, given: Value) -> Value:
    if not isinstance(structure, Structure) or not isinstance(given, (list, tuple)):
        return rank.symbol("call", Library("jax.tree.unflatten"), structure, given)
    if len(given) != len(leaves(structure.tree)):
        return rank.symbol("call", Library("jax.tree.unflatten"), structure, given)
    rest = iter(given)
    return tree_map(lambda _: next(rest), structure.tree)


def _unflattened(rank: Rank, structure: Structure, arguments: Arguments) -> Value:
    return _of_leaves(rank, structure, arguments.get(0, "leaves"))


def _names(name: str) -> tuple[str, str, str]:
    return f"jax.tree.{name}", f"jax.tree_util.tree_{name}", f"jax.tree_{name}"


FUNCTIONS: dict[str, Handler] = {
    "jax.flatten_util.ravel_pytree": _ravel,
    **dict.fromkeys(_names("leaves"), _leaves),
    **dict.fromkeys(_names("flatten"), _flatten),
    **dict.fromkeys(_names("structure"), _structure),
    **dict.fromkeys(_names("unflatten"), _unflatten),
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "unravelling": {"__call__": _unravel},
    "tree structure": {"unflatten": _unflattened},
}
