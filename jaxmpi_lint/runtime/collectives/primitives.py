"""The primitives: result shapes and XLA lowerings. Their parameters are static and compare by value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import mlir, xla
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import effect, expected, lines, native
from jaxmpi_lint.runtime.collectives.communicators import Communicator
from jaxmpi_lint.runtime.collectives.operators import Operator

Shape = tuple[int, ...]
NOTHING: Shape = (0,)  # the result on a rank for which the operation has none


def _define(
    name: str,
    shape: Callable[..., Shape] | None,
    needed: Callable[..., Sequence[int]] = lambda count, **_: range(count),
) -> Primitive:
    """A primitive whose result has the dtype of its last array and this shape (None: it has no result).

    ``needed`` selects the operands that are passed to XLA: of a template only shape and dtype are used.
    """
    primitive = Primitive(f"jaxmpi_{name}")
    primitive.multiple_results = shape is None

    def abstract(*arrays: ShapedArray, **static: Any) -> tuple[Any, set[effect.Communication]]:
        if shape is None:
            return [], {effect.EFFECT}
        template = arrays[1] if name == "sendrecv" else arrays[0]
        return ShapedArray(shape(template.shape, **static), template.dtype), {effect.EFFECT}

    def lower(context: mlir.LoweringRuleContext, *operands: Any, **static: Any) -> list[Any]:
        kept = needed(len(operands), **static)
        inside = context.replace(
            avals_in=(*(context.avals_in[index] for index in kept), effect.TOKEN),
            avals_out=(*context.avals_out, effect.TOKEN),
        )
        rule = jax.ffi.ffi_lowering(native.target(name), has_side_effect=True)
        arguments = [*(operands[index] for index in kept), effect.token_in(context)]
        *results, token = rule(inside, *arguments, **{key: _number(value) for key, value in static.items()})
        effect.token_out(context, token)
        lines.name(context, name, token, lambda: expected.arguments(name, context.avals_in, static))
        return results

    def refuse(*_: Any, **__: Any) -> None:
        raise NotImplementedError(
            f"{name} supports arrays on CPUs and NVIDIA GPUs; "
            "move the array with jax.device_put(x, jax.devices('cpu')[0])"
        )

    primitive.def_impl(lambda *arrays, **static: xla.apply_primitive(primitive, *arrays, **static))
    primitive.def_effectful_abstract_eval(abstract)
    for platform in ("cpu", "cuda"):
        mlir.register_lowering(primitive, lower, platform=platform)
    mlir.register_lowering(primitive, refuse)
    return primitive


def _number(value: int | Communicator | Operator) -> np.int64:
    return np.int64(value if isinstance(value, int) else value.number)


def _same(shape: Shape, **_: object) -> Shape:
    return shape


def _on_root(shape: Shape, communicator: Communicator, root: int, **_: object) -> Shape:
    return shape if communicator.rank == root else NOTHING


def _off_root(shape: Shape, communicator: Communicator, root: int) -> Shape:
    return NOTHING if communicator.rank == root else shape


def _gathered(shape: Shape, communicator: Communicator, root: int | None = None) -> Shape:
    return (communicator.size, *shape) if root in (None, communicator.rank) else NOTHING


def _scattered(shape: Shape, communicator: Communicator, root: int) -> Shape:
    return shape[1:] if communicator.rank == root else shape


def _only_on_root(count: int, communicator: Communicator, root: int) -> Sequence[int]:
    return range(count) if communicator.rank == root else ()


def _without_template(place: int) -> Callable[..., Sequence[int]]:
    """All operands but the template at ``place``, which is needed only from PROC_NULL, where it is the result."""

    def needed(count: int, source: int, **_: object) -> Sequence[int]:
        return [index for index in range(count) if index != place or source == MPI.PROC_NULL]

    return needed


allreduce_p = _define("allreduce", _same)
scan_p = _define("scan", _same)
reduce_p = _define("reduce", _on_root)
bcast_p = _define("bcast", _off_root, _only_on_root)
allgather_p = _define("allgather", _gathered)
alltoall_p = _define("alltoall", _same)
gather_p = _define("gather", _gathered)
scatter_p = _define("scatter", _scattered, _only_on_root)
barrier_p = _define("barrier", None)
send_p = _define("send", None)
recv_p = _define("recv", _same, _without_template(0))
sendrecv_p = _define("sendrecv", _same, _without_template(1))


def _define_tied() -> Primitive:
    primitive = Primitive("jaxmpi_tied")
    primitive.def_impl(lambda array, _: array)
    primitive.def_abstract_eval(lambda array, _: ShapedArray(array.shape, array.dtype))
    mlir.register_lowering(primitive, lambda _, array, __: [array])
    return primitive


# Returns its first argument, on ranks for which the operation has no result; the second is that empty result. Thus
# derivatives of the operation are not dropped as unused: the derivatives of other ranks wait for them.
tied_p = _define_tied()
