"""Collective events of JAX: those of all processes, and launches of compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.agreed import shared
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Collective
from jaxmpi_lint.interpreter.libraries.jax_values import leaves, processes
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.interfaces import WorldView as World

Present = dict[int, Collective]


def use_devices(rank: Rank) -> None:
    """Remember that JAX has started its devices: after that it cannot be initialized any more."""
    rank.state.setdefault("devices used", rank.place(rank.state["span"]))


def together(rank: Rank, kind: str, payload: Value = None, **options: Any) -> Running:
    """A collective of all processes; ``name`` must be equal, ``check`` compares, ``compute`` makes the results."""
    use_devices(rank)
    event = make(rank, kind, payload, **options)
    return (yield event)


def make(rank: Rank, kind: str, payload: Value = None, **options: Any) -> Collective:
    """The event of a collective of all processes."""
    name = options.pop("name", None)
    label = options.pop("label", kind)
    event = Collective(rank.place(rank.state["span"]), label, processes(rank), kind, payload, name=name)
    event.extra.update(options)
    event.extra.setdefault("compute", to_all)
    return event


def to_all(world: World, present: Present) -> dict[int, Value]:
    """A result that is the same on all processes."""
    return dict.fromkeys(present, shared(world, present))


def nothing(world: World, present: Present) -> dict[int, Value]:
    """No result."""
    return dict.fromkeys(present)


def shapes(value: Value) -> list[tuple[int, ...] | None]:
    """The shapes of the leaves; None where one is not known or guessed."""
    return [leaf.shape if isinstance(leaf, Array) and not leaf.is_guessed else None for leaf in leaves(value)]


def same_shapes(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    """Shapes that are surely different."""
    mine, others = shapes(first.payload), shapes(event.payload)
    if len(mine) != len(others):
        return None
    for one, other in zip(mine, others, strict=True):
        if one is not None and other is not None and one != other:
            return Fault(Kind.COUNT, first, lowest, number, event, f"shapes {_show(one)} and {_show(other)}")
    return None


def _show(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(str(length) for length in shape) + ("," if len(shape) == 1 else "") + ")"


def launch(rank: Rank, label: str, program: object, arguments: Value) -> Running:
    """A program that runs on devices of all processes: all of them must launch it."""
    local = rank.state.get("local shapes", {})
    parts = [local.get(leaf) if isinstance(leaf, Symbol) else None for leaf in leaves(arguments)]
    options = {"label": label, "program": program, "parts": parts, "check": _same_program}
    return (yield from together(rank, "launch", arguments, **options))


def _same_program(first: Collective, lowest: int, event: Collective, number: int) -> Fault | None:
    mine, others = first.extra["program"], event.extra["program"]
    if mine is not None and others is not None and mine != others:
        return Fault(Kind.LAUNCH, first, lowest, number, event, f"{first.label} and {event.label}")
    if mine != others:
        return None
    for one, other in zip(first.extra["parts"], event.extra["parts"], strict=False):
        if one is not None and other is not None and one != other:
            detail = f"local data of shapes {_show(one)} and {_show(other)}"
            return Fault(Kind.COUNT, first, lowest, number, event, detail)
    return same_shapes(first, lowest, event, number)
