"""Grids of ranks: their construction, coordinates and neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import operations
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.communicators import Communicator
from jaxmpi_lint.interpreter.libraries.mpi_arguments import integer
from jaxmpi_lint.interpreter.libraries.mpi_collectives import enter
from jaxmpi_lint.interpreter.libraries.mpi_communicators import constructed
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.values import Cut, Running, Value
from jaxmpi_lint.interpreter.views import lengths

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def _grid(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    dims, periods = arguments.get(0, "dims"), arguments.get(1, "periods", False)
    dimensions = _dimensions(dims)
    if dimensions is None or communicator.size is None:
        raise Cut("a grid of unknown shape")
    periods = periods.cells or False if isinstance(periods, Array) else periods
    wraps = tuple(periods) if isinstance(periods, (list, tuple)) else (periods,) * len(dimensions)
    count = 1
    for length in dimensions:
        count *= length
    if count > communicator.size:
        raise Cut("a grid that is larger than the communicator")
    colour = 0 if (communicator.number or 0) < count else None
    payload = (colour, 0, (tuple(dimensions), tuple(bool(one) for one in wraps)))
    return (yield from enter(rank, constructed(rank, "Create_cart", communicator, payload)))


def _dimensions(given: Value) -> list[int] | None:
    """The lengths of a grid, None if one is not known; a number that is the size stays one."""
    several = given.cells if isinstance(given, Array) else [given] if isinstance(given, int) else given
    return list(several) if several is not None and lengths(several) is not None else None


def _shift(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    """The neighbours in a direction of a grid: source and destination."""
    direction, step = arguments.get(0, "direction"), arguments.get(1, "disp", 1)
    if not communicator.dimensions or not isinstance(direction, int) or not isinstance(step, int):
        raise Cut("a shift in an unknown grid")
    where = communicator.coordinates(communicator.number or 0)
    return _neighbour(communicator, where, direction, -step), _neighbour(communicator, where, direction, step)


def _neighbour(communicator: Communicator, where: list[int], direction: int, step: int) -> int:
    there = list(where)
    there[direction] += step
    length = communicator.dimensions[direction]
    if communicator.periods[direction]:
        there[direction] %= length
    elif not 0 <= there[direction] < length:
        return -2
    return _number(communicator, there)


def _number(communicator: Communicator, where: list[int]) -> int:
    number = 0
    for length, index in zip(communicator.dimensions, where, strict=True):
        number = number * length + index
    return number


def _coords(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    if not communicator.dimensions:
        raise Cut("coordinates in an unknown grid")
    return communicator.coordinates(integer(arguments.get(0, "rank", communicator.number), "rank"))


def _cart_rank(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
    where = arguments.get(0, "coords")
    if not communicator.dimensions or not operations.is_plain(where):
        raise Cut("coordinates in an unknown grid")
    wrapped = [
        index % length if wraps else index
        for index, length, wraps in zip(where, communicator.dimensions, communicator.periods, strict=True)
    ]
    return _number(communicator, wrapped)


def _compute_dims(rank: Rank, arguments: Arguments) -> Value:
    """MPI.Compute_dims: a balanced grid; numbers other than zero are given."""
    count, dims = arguments.get(0, "nnodes"), arguments.get(1, "dims")
    given = [0] * dims if isinstance(dims, int) else _dimensions(dims)
    if not isinstance(count, int) or given is None:
        raise Cut("a grid of unknown shape")
    left, rest = divmod(count, prod(n for n in given if n))
    if rest:
        raise fail("mpi4py.MPI.Exception")
    free = given.count(0)
    shapes = [s for s in itertools.product(range(1, left + 1), repeat=free) if prod(s) == left]
    if not shapes:
        raise fail("mpi4py.MPI.Exception")
    chosen = iter(sorted(min(shapes, key=lambda shape: (max(shape, default=1) - min(shape, default=1), shape)))[::-1])
    return [n or next(chosen) for n in given]


def _sub(rank: Rank, communicator: Communicator, arguments: Arguments) -> Running:
    """Sub: the ranks whose coordinates in the other directions are equal."""
    kept = arguments.get(0, "remain_dims")
    kept = [kept] * len(communicator.dimensions) if isinstance(kept, bool) else kept
    if not communicator.dimensions or not isinstance(kept, (list, tuple)) or not operations.is_plain(kept):
        raise Cut("a part of an unknown grid")
    where = communicator.coordinates(communicator.number or 0)
    colour = tuple(index for index, stays in zip(where, kept, strict=True) if not stays)
    shape = tuple(length for length, stays in zip(communicator.dimensions, kept, strict=True) if stays)
    wraps = tuple(one for one, stays in zip(communicator.periods, kept, strict=True) if stays)
    payload = (colour, communicator.number or 0, (shape, wraps))
    return (yield from enter(rank, constructed(rank, "Sub", communicator, payload)))


def _of_grid(name: str) -> Callable[..., Value]:
    """A method that returns an attribute of the grid."""

    def call(rank: Rank, communicator: Communicator, arguments: Arguments) -> Value:
        if not communicator.dimensions:
            raise Cut("coordinates in an unknown grid")
        return communicator.attribute(rank, name)

    return call


METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "communicator": {
        "Create_cart": _grid,
        "Shift": _shift,
        "Sub": _sub,
        "Get_coords": _coords,
        "Get_cart_rank": _cart_rank,
        "Get_dim": _of_grid("ndim"),
        "Get_topo": _of_grid("topo"),
    },
}
FUNCTIONS: dict[str, Handler] = {"mpi4py.MPI.Compute_dims": _compute_dims}
