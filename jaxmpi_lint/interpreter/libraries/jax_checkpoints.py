"""Checkpoints of JAX programs: what orbax and flax do on all processes together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries.jax_launches import nothing, to_all, together
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Library, Method, Running, Value
from jaxmpi_lint.library.orbax_flax_table import ROWS

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_MODULE = "orbax.checkpoint."
_CLASSES = (
    "CheckpointManager AsyncCheckpointer Checkpointer StandardCheckpointer PyTreeCheckpointer v1.training.Checkpointer"
).split()


class Checkpointer(Modelled):
    """An object that saves and restores; ``kind`` is its class."""

    __slots__ = ("kind", "options")
    type_name = "checkpointer"

    def __init__(self, kind: str, options: tuple[Value, ...]) -> None:
        self.kind = kind
        self.options = options

    def freeze(self, _depth: int) -> object:
        """The class."""
        return "checkpointer", self.kind

    def attribute(self, rank: Rank, name: str) -> Value:
        """A method."""
        return Method(self, name)


def _is_collective(dotted: str) -> bool:
    rows = ROWS.get(dotted, ())
    return any(row[0] == "collective" for row in rows)


def _separate(arguments: Arguments) -> bool:
    """Whether a checkpointer is made for some of the processes, or may be."""
    words = ("active_processes", "MultiprocessingOptions", "multiprocessing_options")
    return any(word in repr(_described(value)) for value in arguments.every() for word in words) or any(
        word in arguments.keywords for word in words
    )


def _described(value: Value) -> object:
    if isinstance(value, Symbol):
        return value.key, [_described(part) for part in value.key if isinstance(part, (Symbol, tuple))]
    return [_described(part) for part in value] if isinstance(value, tuple) else value


def _construct(name: str) -> Handler:
    dotted = _MODULE + name

    def call(rank: Rank, arguments: Arguments) -> Running:
        if _separate(arguments):
            return rank.symbol("call", Library(dotted), *arguments.every())
        if _is_collective(dotted):
            yield from together(rank, dotted, label=name, compute=nothing)
        return Checkpointer(name, tuple(arguments.every()))

    return call


def _method(name: str) -> Callable[..., Any]:
    """A method; whether all processes must call it depends on the class."""

    def call(rank: Rank, checkpointer: Checkpointer, arguments: Arguments) -> Running:
        dotted = rank.canonical(f"{_MODULE}{checkpointer.kind}.{name}")
        if _is_collective(dotted):
            return (yield from together(rank, f"checkpoint {name}", label=name, compute=to_all))
        return rank.symbol("checkpoint", name, *arguments.values)

    return call


def _save(rank: Rank, arguments: Arguments) -> Running:
    """``flax.training.checkpoints.save_checkpoint_multiprocess``."""
    return (yield from together(rank, "save_checkpoint_multiprocess", compute=to_all))


_NAMES = sorted(
    {dotted.rpartition(".")[2] for dotted in ROWS if dotted.startswith(tuple(f"{_MODULE}{name}." for name in _CLASSES))}
)
METHODS: dict[str, dict[str, Callable[..., Any]]] = {"checkpointer": {name: _method(name) for name in _NAMES}}
FUNCTIONS: dict[str, Handler] = {
    **{_MODULE + name: _construct(name) for name in _CLASSES},
    "flax.training.checkpoints.save_checkpoint_multiprocess": _save,
}
