"""`make_array_from_callback`: the function that gives each shard is asked by its position in the whole array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.arrays import Array, as_shape
from jaxmpi_lint.interpreter.events import Access
from jaxmpi_lint.interpreter.libraries.jax_values import SHARDED, Mesh, Sharding, Specification, names_of
from jaxmpi_lint.interpreter.operations import SliceValue
from jaxmpi_lint.interpreter.raised import ProgramError, Raised
from jaxmpi_lint.interpreter.values import Cut, Running, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

Index = tuple[SliceValue, ...]


def ask(rank: Rank, function: Value, index: Value) -> Running:
    """What the function gives for an index; None if that is not known."""
    span: ir.Span = rank.state["span"]
    try:
        return (yield from rank.call(function, (index,), {}, span))
    except Cut:
        return None
    finally:
        rank.state["span"] = span


def check_own_shard(rank: Rank, shape: Value, sharding: Value, function: Value) -> Running:
    """Fail where the function has nothing for the part of this process.

    The part is that of one device for each process; a part of a larger number of devices lies in the same range.
    """
    index = _own_index(rank, as_shape(shape), sharding)
    if index is None or function is None:
        return None
    try:
        given = yield from ask(rank, function, index)
    except ProgramError:
        return None
    axis = next(at for at, one in enumerate(index) if one.upper is not None)
    if isinstance(given, Array) and given.shape and len(given.shape) > axis and given.shape[axis] == 0:
        wanted = index[axis]
        detail = f"the callback returns no elements for the part {wanted.lower}:{wanted.upper} of dimension {axis}"
        event = Access(rank.place(rank.state["span"]), "make_array_from_callback")
        raised = Raised("ValueError")
        raised.fields["*fault"] = Fault(Kind.CALLBACK, event, rank.number, detail=detail)
        raise ProgramError(raised)
    return None


def _own_index(rank: Rank, shape: tuple[int, ...] | None, sharding: Value) -> Index | None:
    """The part of this process where one dimension is divided among all devices; None for other shardings."""
    axis = _divided_axis(sharding)
    if shape is None or axis is None or axis >= len(shape) or not shape[axis] or shape[axis] % rank.world.size:
        return None
    length = shape[axis] // rank.world.size
    whole = SliceValue(None, None, None)
    own = SliceValue(rank.number * length, (rank.number + 1) * length, None)
    return tuple(own if at == axis else whole for at in range(len(shape)))


def _divided_axis(sharding: Value) -> int | None:
    """The only dimension that a sharding divides, over the only axis of a mesh of all devices."""
    if not isinstance(sharding, Sharding) or sharding.kind != SHARDED or not sharding.divides:
        return None
    given = sharding.described if isinstance(sharding.described, tuple) else ()
    mesh = next((one for one in given if isinstance(one, Mesh)), None)
    spec = next((one for one in given if isinstance(one, Specification)), None)
    if mesh is None or spec is None or len(names_of(mesh.described[1:]) or ()) != 1:
        return None
    return next(at for at, part in enumerate(spec.parts) if part is not None)
