"""Loops and branches of `jax.lax`, collectives over axes, and functions on trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import local_averages, loops
from jaxmpi_lint.interpreter.arrays import Array, item, of_symbol, scalar
from jaxmpi_lint.interpreter.libraries.jax_functions import is_over_all, traces, use_axis
from jaxmpi_lint.interpreter.libraries.jax_values import as_jax, leaves, tree_map
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.symbols import FEW_PASSES, Symbol
from jaxmpi_lint.interpreter.turns import Turn
from jaxmpi_lint.interpreter.values import Cut, Instance, Library, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

MAX_WHILE = 4
"""Iterations of a loop whose condition is a symbol."""

MAX_LOOP = 2_000


# --- branches ---


def _begin(rank: Rank) -> None:
    """Begin a test inside of a compiled program, at the place of the current call."""
    frame, index = rank.frames[-1], -1 - rank.state["span"][0]
    rank.asked = []
    rank.turn = (frame.path, index, frame.count(index))


def _end(rank: Rank, kind: str, outcome: bool) -> None:
    """Keep the outcome of a test like that of a statement."""
    frame, span = rank.frames[-1], rank.state["span"]
    branch = ir.Branch(span, kind, ir.Constant(span, None), 0, 0, span)
    rank.turns.append(Turn(rank.turn, outcome, frame, branch, tuple(rank.asked), len(rank.frames), events=rank.events))


def _decide(rank: Rank, value: Value, kind: str) -> bool:
    """The outcome of a condition inside of a compiled program."""
    _begin(rank)
    outcome = rank.truth(scalar(rank, value) if isinstance(value, Array) else value)
    _end(rank, kind, outcome)
    return outcome


def _cond(rank: Rank, arguments: Arguments) -> Running:
    """``cond(pred, true_fun, false_fun, *operands)``."""
    span = rank.state["span"]
    operands = arguments.values[3:]
    if not operands and "operand" in arguments.keywords:
        operands = (arguments.keywords["operand"],)
    chosen = _decide(rank, arguments.get(0, "pred"), "conditional")
    function = arguments.get(1, "true_fun") if chosen else arguments.get(2, "false_fun")
    return (yield from rank.call(function, operands, {}, span))


def _switch(rank: Rank, arguments: Arguments) -> Running:
    index, branches = arguments.get(0, "index"), arguments.get(1, "branches")
    if isinstance(index, Array) and index.size == 1:
        index = scalar(rank, index)
    if not isinstance(branches, (list, tuple)) or not branches:
        raise Cut("a switch between unknown functions")
    span = rank.state["span"]
    chosen = len(branches) - 1
    if isinstance(index, int):
        chosen = min(max(index, 0), len(branches) - 1)
    else:
        for position in range(len(branches) - 1):
            rank.state["span"] = span
            if _decide(rank, rank.binary("==", index, position), "conditional"):
                chosen = position
                break
    return (yield from rank.call(branches[chosen], arguments.values[2:], {}, span))


# --- loops ---


def _while(rank: Rank, arguments: Arguments) -> Running:
    test, body = arguments.get(0, "cond_fun"), arguments.get(1, "body_fun")
    state, span = arguments.get(2, "init_val"), rank.state["span"]
    last = MAX_WHILE
    for count in range(MAX_LOOP):
        value = yield from rank.call(test, (state,), {}, span)
        rank.state["span"] = span
        if isinstance(value, Array):
            value = scalar(rank, value)
        if isinstance(value, Symbol) and count >= last:
            rank.world.is_bounded = True
            return state
        if not _decide(rank, value, "while"):
            return state
        state = yield from rank.call(body, (state,), {}, span)
        rank.world.has_long_loop = rank.world.has_long_loop or count == FEW_PASSES
        if count == FEW_PASSES == rank.world.symbols.max_passes:
            loops.note_early_end(rank)
            state = tree_map(lambda leaf: _after_passes(rank, leaf), state)
            last = count + 2
    raise Cut("a loop without a known end")


def _after_passes(rank: Rank, leaf: Value) -> Value:
    """A leaf of the state after iterations that are left out."""
    symbol = rank.symbol("after passes", leaf)
    if isinstance(leaf, Array):
        return as_jax(of_symbol(symbol, leaf.shape, leaf.dtype))
    return symbol if isinstance(leaf, (int, float, Symbol)) else leaf


def _passes(rank: Rank, positions: Callable[[], list[Value]]) -> Iterator[Value]:
    """The passes of a loop, each kept like that of a statement."""
    span = rank.state["span"]
    _begin(rank)
    for position in positions():
        _end(rank, "for", True)
        yield position
        rank.state["span"] = span
        _begin(rank)
    _end(rank, "for", False)


def _for(rank: Rank, arguments: Arguments) -> Running:
    """``fori_loop(lower, upper, body_fun, init_val)``."""
    lower, upper = arguments.get(0, "lower"), arguments.get(1, "upper")
    body, state, span = arguments.get(2, "body_fun"), arguments.get(3, "init_val"), rank.state["span"]
    for counter in _passes(rank, lambda: _counters(rank, lower, upper)):
        state = yield from rank.call(body, (counter, state), {}, span)
    return state


def _counters(rank: Rank, lower: Value, upper: Value) -> list[Value]:
    if isinstance(lower, int) and isinstance(upper, int):
        return rank.sample(range(lower, upper))
    return rank.passes(rank.symbol("range", lower, upper, kind="range"))


def _length(rank: Rank, items: Value, length: Value) -> list[Value]:
    """The positions of a scan or map."""
    known = [leaf.shape[0] for leaf in leaves(items) if isinstance(leaf, Array) and leaf.shape and not leaf.is_guessed]
    if isinstance(length, int) and not known:
        known = [length]
    if known:
        return rank.sample(range(known[0]))
    return list(range(len(rank.passes(rank.symbol("range", 0, length, *leaves(items), kind="range")))))


def _row(rank: Rank, items: Value, position: Value) -> Value:
    def one(leaf: Value) -> Value:
        if isinstance(leaf, Array) and leaf.shape:
            return item(rank, leaf, position)
        return rank.symbol("item", leaf, position)

    return tree_map(one, items)


def _scan(rank: Rank, arguments: Arguments) -> Running:
    body, state, items = arguments.get(0, "f"), arguments.get(1, "init"), arguments.get(2, "xs")
    span = rank.state["span"]
    found: list[Value] = []
    for position in _passes(rank, lambda: _length(rank, items, arguments.get(3, "length"))):
        result = yield from rank.call(body, (state, _row(rank, items, position)), {}, span)
        state, output = _pair(rank, result)
        found.append(output)
    return state, _stacked(rank, found)


def _pair(rank: Rank, result: Value) -> tuple[Value, Value]:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    return rank.symbol("unpacked", result, 0, 2), rank.symbol("unpacked", result, 1, 2)


def _stacked(rank: Rank, found: list[Value]) -> Value:
    if not found or found[0] is None:
        return None
    every = [leaves(one) for one in found]
    places = iter(range(len(every[0])))

    def one(_: Value) -> Value:
        place = next(places)
        return rank.symbol("stacked", *(tree[place] for tree in every if place < len(tree)))

    return tree_map(one, found[0])


def _map(rank: Rank, arguments: Arguments) -> Running:
    function, items = arguments.get(0, "f"), arguments.get(1, "xs")
    span = rank.state["span"]
    found: list[Value] = []
    for position in _passes(rank, lambda: _length(rank, items, None)):
        result = yield from rank.call(function, (_row(rank, items, position),), {}, span)
        found.append(result)
    return _stacked(rank, found)


# --- axes ---


def _over_axis(name: str) -> Handler:
    def call(rank: Rank, arguments: Arguments) -> Value:
        value, axis = arguments.get(0, "x"), arguments.get(1, "axis_name")
        use_axis(rank, axis)
        result = tree_map(lambda leaf: _reduced(rank, name, leaf, axis), value)
        if name == "psum" and is_over_all(rank, axis):
            for summed, leaf in zip(leaves(value), leaves(result), strict=True):
                local_averages.note_sum(rank, summed, leaf)
        return result

    return call


def _reduced(rank: Rank, name: str, leaf: Value, axis: Value) -> Value:
    symbol = rank.symbol("call", Library(f"jax.lax.{name}"), leaf, axis)
    keeps = name in ("psum", "pmean", "pmax", "pmin", "ppermute", "pbroadcast")
    return as_jax(of_symbol(symbol, leaf.shape, leaf.dtype)) if keeps and isinstance(leaf, Array) else symbol


# --- trees ---


def _tree_map(rank: Rank, arguments: Arguments) -> Running:
    """Call a function for each leaf; for a tree that is not known, once."""
    function, tree = arguments.get(0, "f"), arguments.get(1, "tree")
    others, span = [leaves(value) for value in arguments.values[2:]], rank.state["span"]
    results: list[Value] = []
    for place, leaf in enumerate(leaves(tree)):
        if isinstance(leaf, Instance) or any(len(other) <= place for other in others):
            return rank.symbol("mapped tree", function, *arguments.values[1:])
        given = (leaf, *(other[place] for other in others))
        result = yield from rank.call(function, given, {}, span)
        is_tree = isinstance(leaf, Symbol) and not leaf.kind
        results.append(rank.symbol("mapped tree", result) if is_tree and isinstance(result, Symbol) else result)
    rest = iter(results)
    return tree_map(lambda _: next(rest), tree)


def _start(rank: Rank, arguments: Arguments) -> Value:
    return rank.symbol("axis index", arguments.get(0, "axis_name"), kind="int")


# --- callbacks ---


def _callback(first: int) -> Handler:
    """A function that runs on the host during a compiled program; its arguments begin at a position."""

    def call(rank: Rank, arguments: Arguments) -> Running:
        state = traces(rank)
        outer, state.stack = state.stack, []
        left_out = ("ordered", "sharding", "vectorized", "vmap_method", "partitioned")
        keywords = {name: value for name, value in arguments.keywords.items() if name not in left_out}
        try:
            result = yield from rank.call(
                arguments.get(0, "callback"), arguments.values[first:], keywords, rank.state["span"]
            )
        finally:
            state.stack = outer
        return result if first > 1 else None

    return call


def _is_tracer(rank: Rank, value: Value) -> bool:
    return bool(traces(rank).stack)


def _is_array(rank: Rank, value: Value) -> bool | None:
    if isinstance(value, Array):
        return value.is_jax or bool(traces(rank).stack)
    return None if isinstance(value, Symbol) else False


_COLLECTIVES = (
    "psum pmean pmax pmin all_gather all_to_all ppermute psum_scatter pbroadcast pshuffle pswapaxes ragged_all_to_all"
).split()
FUNCTIONS: dict[str, Any] = {
    "jax.lax.cond": _cond,
    "jax.lax.switch": _switch,
    "jax.lax.while_loop": _while,
    "jax.lax.fori_loop": _for,
    "jax.lax.scan": _scan,
    "jax.lax.map": _map,
    "jax.lax.axis_index": _start,
    **dict.fromkeys(("jax.pure_callback", "jax.experimental.io_callback"), _callback(2)),
    "jax.debug.callback": _callback(1),
    "jax.core.Tracer:isinstance": _is_tracer,
    **dict.fromkeys(("jax.Array:isinstance", "jax.numpy.ndarray:isinstance"), _is_array),
    **{f"jax.lax.{name}": _over_axis(name) for name in _COLLECTIVES},
    **dict.fromkeys(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map", "jax.tree_multimap"), _tree_map),
}
PURE = ("jax.tree", "jax.tree_util", "jax.flatten_util", "jax.lax", "optax")
