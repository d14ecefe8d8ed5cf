"""Functions that JAX transforms: compiled, mapped, differentiated; their calls and launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.arrays import Array, Store
from jaxmpi_lint.interpreter.events import Opaque
from jaxmpi_lint.interpreter.libraries.jax_launches import launch, use_devices
from jaxmpi_lint.interpreter.libraries.jax_values import (
    GLOBAL,
    REPLICATED,
    Compiled,
    Mesh,
    Sharding,
    identity_of,
    is_global,
    leaves,
    name_of,
    names_of,
    processes,
    spread_of,
    tree_map,
)
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.values import Cut, FunctionValue, Library, Partial, Running, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_COMPILING = frozenset({"jit", "pmap", "shard_map"})
_MAPPING = frozenset({"vmap", "pmap", "shard_map"})
_DERIVATIVES = frozenset({"grad", "value_and_grad", "jacobian", "hessian"})
_COMMUNICATING = ("mpi4jax", "mpi4py")


@dataclass(slots=True)
class Trace:
    """A transformed function while its body is followed.

    ``spread``: whether its axes run over devices of all processes (None: not known). ``launches``: whether the body
    has a collective over such an axis, or may have one (None). ``axes`` are the names of all axes, if they are known.
    """

    transform: str
    axis: Value
    spread: bool | None
    launches: bool | None = False
    axes: frozenset[str] = frozenset()


@dataclass(slots=True)
class Traces:
    """The transformed functions that a process is in, the outermost first."""

    stack: list[Trace] = field(default_factory=list)


def traces(rank: Rank) -> Traces:
    """The transformed functions that the process is in."""
    found = rank.state.get("traces")
    if found is None:
        found = rank.state["traces"] = Traces()
    return found


# --- construction ---


def _transform(name: str, position: int = 0) -> Handler:
    """A transformation as a call or as a decorator with arguments."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        keyword = next((word for word in ("fun", "f", "fn") if word in arguments.keywords), "")
        options = {key: value for key, value in arguments.keywords.items() if key != keyword}
        if not arguments.has(position, keyword):
            return Partial(Library(f"jax.{name}"), (), options)
        function = arguments.get(position, keyword)
        options.update({str(at): value for at, value in enumerate(arguments.values) if at != position})
        return Compiled(name, function, options)

    return call


def decorate(rank: Rank, dotted: str, value: Value) -> Value | None:
    """What a transformation without arguments makes of a function; None for other decorators."""
    handler = FUNCTIONS.get(dotted)
    return None if handler is None or dotted not in _DECORATORS else handler(rank, Arguments((value,), {}))


# --- calls ---


def _call(rank: Rank, compiled: Compiled, arguments: Arguments) -> Running:
    """Follow the body once, then launch the program if it runs on devices of all processes."""
    use_devices(rank)
    stack = traces(rank).stack
    trace = Trace(compiled.transform, _axis(compiled), _spread(compiled), axes=_axes(compiled))
    span = rank.state["span"]
    stack.append(trace)
    try:
        result = yield from _body(rank, compiled, arguments, trace)
    finally:
        stack.pop()
        rank.state["span"] = span
    if compiled.transform in _DERIVATIVES:
        result = _derivative(rank, compiled, arguments, result)
    if stack:
        _hand_on(trace, stack[-1])
        return result
    if trace.launches is None:
        yield Opaque(rank.place(span), name_of(compiled), (processes(rank),))
        return tree_map(lambda leaf: rank.symbol("launched", leaf, is_guess=True), result)
    if trace.launches or (compiled.transform in _COMPILING and _is_spread(compiled, arguments)):
        payload = [*arguments.values, *arguments.keywords.values()]
        shared = yield from launch(rank, name_of(compiled), identity_of(compiled), payload)
        return _results(rank, shared, result)
    return _local(rank, arguments, result)


def _hand_on(trace: Trace, outer: Trace) -> None:
    if trace.launches:
        outer.launches = True
    elif trace.launches is None and not outer.launches:
        outer.launches = None


def _axis(compiled: Compiled) -> Value:
    position = {"pmap": "1"}.get(compiled.transform, "")
    return compiled.options.get("axis_name", compiled.options.get(position))


def _axes(compiled: Compiled) -> frozenset[str]:
    """The names of all axes of a mapped function; none if one is not known."""
    if compiled.transform == "pmap":
        return names_of((_axis(compiled),)) or frozenset()
    mesh = compiled.options.get("mesh", compiled.options.get("1"))
    return (names_of(mesh.described[1:]) or frozenset()) if isinstance(mesh, Mesh) else frozenset()


def _spread(compiled: Compiled) -> bool | None:
    """Whether the axes of a mapped function run over devices of all processes."""
    options = compiled.options
    if compiled.transform == "pmap":
        return True if options.get("devices") is None else spread_of(options["devices"])
    if compiled.transform == "shard_map":
        mesh = options.get("mesh", options.get("1"))
        return mesh.spread if isinstance(mesh, Mesh) else None
    return False


def _is_spread(compiled: Compiled, arguments: Arguments) -> bool:
    """Whether arguments or shardings are those of all processes."""
    given = [leaf for value in arguments.every() for leaf in leaves(value)]
    if any(is_global(leaf) and leaf.kind != REPLICATED for leaf in given):
        return True
    shardings = [compiled.options.get(name) for name in ("in_shardings", "out_shardings")]
    known = [one for value in shardings for one in leaves(value) if isinstance(one, Sharding)]
    return any(one.kind not in ("", REPLICATED) for one in known)


def _results(rank: Rank, shared: Value, result: Value) -> Value:
    """What a launch returns: the form of the result is known, the elements are the same for all processes."""
    places = iter(range(len(leaves(result))))
    return tree_map(lambda _: rank.symbol("result", shared, next(places), kind=GLOBAL), result)


def _local(rank: Rank, arguments: Arguments, result: Value) -> Value:
    """The result on local devices; with replicated arguments it is replicated too."""
    given = [leaf for value in arguments.every() for leaf in leaves(value)]
    if any(is_global(leaf) for leaf in given):
        return tree_map(lambda leaf: rank.symbol("result", leaf, kind=REPLICATED), result)
    return result


def _body(rank: Rank, compiled: Compiled, arguments: Arguments, trace: Trace) -> Running:
    """What the function computes; a body that cannot be followed computes a symbol of its arguments."""
    args, keywords = arguments.values, dict(arguments.keywords)
    if compiled.transform in _MAPPING:
        args = tuple(tree_map(lambda leaf: _lane(rank, leaf), value) for value in args)
        keywords = {name: tree_map(lambda leaf: _lane(rank, leaf), value) for name, value in keywords.items()}
    followed = isinstance(_innermost(compiled), FunctionValue) or not isinstance(compiled.function, Library)
    if not followed:
        return rank.symbol("call", compiled, *args, keywords)
    try:
        return (yield from rank.call(compiled.function, args, keywords, rank.state["span"]))
    except Cut as cut:
        if _may_communicate(compiled) or cut.reason in ("too many steps", "calls are nested too deeply"):
            raise
        if trace.spread is not False:
            trace.launches = None
        return rank.symbol("call", compiled, *args, keywords)


def _innermost(function: Value) -> Value:
    while isinstance(function, (Compiled, Partial)) or hasattr(function, "receiver"):
        function = getattr(function, "function", None)
    return function


def _may_communicate(compiled: Compiled) -> bool:
    """Whether the file of the function uses MPI: its events must not be passed over."""
    function = _innermost(compiled)
    return not isinstance(function, FunctionValue) or any(word in function.module.text for word in _COMMUNICATING)


def _lane(rank: Rank, leaf: Value) -> Value:
    """The part of an argument that a mapped function sees: of unknown shape."""
    if isinstance(leaf, Array):
        symbol = rank.symbol("lane", leaf)
        return Array(Store(None, symbol), None, leaf.dtype, selection=symbol, is_jax=True)
    return rank.symbol("lane", leaf) if is_global(leaf) else leaf


def _derivative(rank: Rank, compiled: Compiled, arguments: Arguments, result: Value) -> Value:
    """Derivatives have the form of the arguments that they are taken by."""
    argnums = compiled.options.get("argnums", compiled.options.get("1", 0))
    chosen = [argnums] if isinstance(argnums, int) else argnums
    has_aux = compiled.options.get("has_aux", False)
    gradient: Value = rank.symbol("gradient", compiled, *arguments.values)
    if isinstance(chosen, (list, tuple)) and all(isinstance(at, int) for at in chosen):
        parts = tuple(_of_argument(rank, compiled, arguments, at) for at in chosen)
        gradient = parts[0] if isinstance(argnums, int) else parts
    if compiled.transform == "value_and_grad":
        return result, gradient
    if has_aux is True and isinstance(result, tuple) and len(result) == 2:
        return gradient, result[1]
    return gradient if has_aux is False else rank.symbol("derivative", compiled, *arguments.values)


def _of_argument(rank: Rank, compiled: Compiled, arguments: Arguments, position: int) -> Value:
    value = arguments.get(position)
    places = iter(range(len(leaves(value))))

    def one(leaf: Value) -> Value:
        symbol = rank.symbol("gradient", compiled, *arguments.values, next(places))
        if isinstance(leaf, Array):
            return Array(Store(None, symbol, leaf.size), leaf.shape, leaf.dtype, is_jax=True)
        return symbol

    if compiled.transform in ("jacobian", "hessian"):
        return rank.symbol("gradient", compiled, *arguments.values)
    return tree_map(one, value)


# --- collectives over axes ---


def use_axis(rank: Rank, axis: Value) -> None:
    """A collective of the devices of an axis: one over all processes makes the program a collective of them."""
    stack = traces(rank).stack
    names = axis if isinstance(axis, (list, tuple)) else (axis,)
    for trace in reversed(stack):
        if trace.transform == "vmap" and trace.axis is not None and trace.axis in names:
            return
        if trace.transform in ("pmap", "shard_map"):
            if trace.spread:
                trace.launches = True
            elif trace.spread is None and not trace.launches:
                trace.launches = None
            return


def is_over_all(rank: Rank, axis: Value) -> bool:
    """Whether a collective of an axis is one of all devices of all processes."""
    inner = next((one for one in reversed(traces(rank).stack) if one.transform in _MAPPING), None)
    return inner is not None and bool(inner.spread) and bool(inner.axes) and names_of((axis,)) == inner.axes


def _itself(rank: Rank, compiled: Compiled, arguments: Arguments) -> Value:
    return compiled


_NAMES: dict[str, tuple[str, ...]] = {
    "jit": ("jax.jit", "jax.experimental.pjit.pjit", "jax.pjit"),
    "pmap": ("jax.pmap",),
    "shard_map": ("jax.shard_map", "jax.experimental.shard_map.shard_map"),
    "vmap": ("jax.vmap",),
    "grad": ("jax.grad",),
    "value_and_grad": ("jax.value_and_grad",),
    "jacobian": ("jax.jacrev", "jax.jacfwd", "jax.jacobian"),
    "hessian": ("jax.hessian",),
    "checkpoint": ("jax.checkpoint", "jax.remat", "flax.linen.remat"),
    "custom_vjp": ("jax.custom_vjp", "jax.custom_jvp", "jax.custom_batching.custom_vmap"),
    "named_call": ("jax.named_call",),
}
FUNCTIONS: dict[str, Handler] = {name: _transform(kind) for kind, names in _NAMES.items() for name in names}
_DECORATORS = frozenset(FUNCTIONS)
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "compiled function": {
        "__call__": _call,
        "lower": _itself,
        "compile": _itself,
        "trace": _itself,
        "clear_cache": lambda rank, compiled, arguments: None,
        "eval_shape": lambda rank, compiled, arguments: rank.symbol("shape", compiled, *arguments.values),
        **{name: (lambda rank, compiled, arguments: None) for name in ("defvjp", "defjvp", "defjvps", "def_vmap")},
    }
}
