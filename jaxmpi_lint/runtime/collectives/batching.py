"""Rules for `vmap`: one operation communicates the whole batch.

The batch axis is moved to the same position on all ranks: to the first axis, or to the second if the first runs over
the ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import batching

from jaxmpi_lint.runtime.collectives import primitives
from jaxmpi_lint.runtime.collectives.communicators import Communicator

Axis = int | None


def _rule(primitive: Primitive, into: int = 0, out: int = 0) -> None:
    """Register the operation itself as batching rule, with the batch moved to axis ``into``."""

    def batched(arrays: Sequence[jax.Array], axes: Sequence[Axis], **static: Any) -> tuple[Any, Any]:
        result = primitive.bind(_batched(arrays[0], axes[0], into), **static)
        return result, [] if primitive.multiple_results else out

    batching.primitive_batchers[primitive] = batched


def _batched(array: jax.Array, axis: Axis, into: int) -> jax.Array:
    assert axis is not None, "the only array of the operation has the batch"
    return jnp.moveaxis(array, axis, into)


def _scatter(
    arrays: Sequence[jax.Array], axes: Sequence[Axis], communicator: Communicator, root: int
) -> tuple[jax.Array, int]:
    into = 1 if communicator.rank == root else 0
    array = _batched(arrays[0], axes[0], into)
    return primitives.scatter_p.bind(array, communicator=communicator, root=root), 0


def _gather(
    arrays: Sequence[jax.Array], axes: Sequence[Axis], communicator: Communicator, root: int
) -> tuple[jax.Array, Axis]:
    result = primitives.gather_p.bind(_batched(arrays[0], axes[0], 0), communicator=communicator, root=root)
    return result, 1 if communicator.rank == root else None


def _nothing_here(primitive: Primitive, on_root: bool) -> None:
    """Register a rule for an operation that returns a result only on the root (``on_root``), or only off it."""

    def batched(
        arrays: Sequence[jax.Array], axes: Sequence[Axis], communicator: Communicator, root: int, **static: Any
    ) -> tuple[jax.Array, Axis]:
        array = _batched(arrays[0], axes[0], 0)
        result = primitive.bind(array, communicator=communicator, root=root, **static)
        return result, 0 if (communicator.rank == root) == on_root else None

    batching.primitive_batchers[primitive] = batched


def _received(primitive: Primitive, count: int) -> None:
    """Register a rule that gives all ``count`` arrays the batch if one has it; a status number has none."""

    def batched(arrays: Sequence[jax.Array], axes: Sequence[Axis], **static: Any) -> tuple[jax.Array, int]:
        pairs = list(zip(arrays[:count], axes[:count], strict=True))
        size = next(array.shape[axis] for array, axis in pairs if axis is not None)
        whole = [
            jnp.broadcast_to(array, (size, *array.shape)) if axis is None else jnp.moveaxis(array, axis, 0)
            for array, axis in pairs
        ]
        return primitive.bind(*whole, *arrays[count:], **static), 0

    batching.primitive_batchers[primitive] = batched


_rule(primitives.allreduce_p)
_rule(primitives.scan_p)
_rule(primitives.send_p)
_rule(primitives.allgather_p, out=1)
_rule(primitives.alltoall_p, into=1, out=1)
_nothing_here(primitives.reduce_p, on_root=True)
_nothing_here(primitives.bcast_p, on_root=False)
batching.primitive_batchers[primitives.gather_p] = _gather
batching.primitive_batchers[primitives.scatter_p] = _scatter
_received(primitives.recv_p, 1)
_received(primitives.sendrecv_p, 2)
batching.primitive_batchers[primitives.tied_p] = lambda arrays, axes: (primitives.tied_p.bind(*arrays), axes[0])
