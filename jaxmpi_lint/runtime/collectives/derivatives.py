"""Derivatives. Every rank must differentiate the same operations: derivatives communicate, too.

Seen over all ranks, each operation is a linear map of what the ranks put in to what they get, and is transposed as
such, for the inner product that is summed over the ranks. The one exception is `allreduce`: its result counts once
and not once for each rank, so cotangents pass it unchanged, as in mpi4jax. Hence `jax.grad` of a loss that ends in an
`allreduce` is, on each rank, the derivative of that loss with respect to this rank's arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla
from mpi4py import MPI

from jaxmpi_lint.runtime.collectives import operators, primitives
from jaxmpi_lint.runtime.collectives.communicators import Communicator
from jaxmpi_lint.runtime.collectives.operators import Operator

Results = Sequence[Any]


def _zeros(aval: Any) -> jax.Array:
    return jnp.zeros(aval.shape, aval.dtype)


def _filled(cotangent: Any) -> jax.Array:
    """A cotangent that is known to be zero takes part like any other: the other ranks may have one that is not."""
    return ad.instantiate_zeros(cotangent)


def _linear(primitive: Primitive, transpose: Callable[..., Any]) -> None:
    """An operation of one array that is its own derivative."""

    def jvp(primals: Results, tangents: Results, **static: Any) -> tuple[Any, Any]:
        _only_sums(primitive, static.get("operator"))
        return primitive.bind(*primals, **static), primitive.bind(_filled(tangents[0]), **static)

    def transposed(cotangent: Any, x: Any, **static: Any) -> tuple[Any]:
        return (transpose(_filled(cotangent), x.aval, **static),)

    ad.primitive_jvps[primitive] = jvp
    ad.primitive_transposes[primitive] = transposed


def _only_sums(primitive: Primitive, operator: Operator | None) -> None:
    if operator is not None and not operator.is_sum:
        name = primitive.name.removeprefix("jaxmpi_")
        raise NotImplementedError(f"{name} has a derivative only for MPI.SUM, not for {operator}")


def _reduce_t(cotangent: jax.Array, aval: Any, communicator: Communicator, root: int, operator: Operator) -> Any:
    """The root's cotangent, to everybody."""
    if communicator.rank == root:
        primitives.bcast_p.bind(cotangent, communicator=communicator, root=root)
        return cotangent
    return primitives.bcast_p.bind(_zeros(aval), communicator=communicator, root=root)


def _bcast_t(cotangent: jax.Array, aval: Any, communicator: Communicator, root: int) -> Any:
    """The sum of the others' cotangents, to the root, whose own result is its argument and no part of this."""
    here = communicator.rank == root
    mine = _zeros(aval) if here else cotangent
    total = primitives.reduce_p.bind(mine, communicator=communicator, root=root, operator=operators.SUM)
    return total if here else ad.Zero(aval)


def _gather_t(cotangent: jax.Array, aval: Any, communicator: Communicator, root: int) -> jax.Array:
    value = cotangent if communicator.rank == root else _zeros(aval)
    return primitives.scatter_p.bind(value, communicator=communicator, root=root)


def _scatter_t(cotangent: jax.Array, aval: Any, communicator: Communicator, root: int) -> Any:
    rows = primitives.gather_p.bind(cotangent, communicator=communicator, root=root)
    return rows if communicator.rank == root else ad.Zero(aval)


def _allgather_t(cotangent: jax.Array, aval: Any, communicator: Communicator) -> jax.Array:
    return primitives.alltoall_p.bind(cotangent, communicator=communicator).sum(0)


def _alltoall_t(cotangent: jax.Array, aval: Any, communicator: Communicator) -> jax.Array:
    return primitives.alltoall_p.bind(cotangent, communicator=communicator)


def _scan_t(cotangent: jax.Array, aval: Any, communicator: Communicator, operator: Operator) -> jax.Array:
    """The sum over this rank and all higher ones: `total - scan + own` would cancel."""
    rows = primitives.allgather_p.bind(cotangent, communicator=communicator)
    return rows[communicator.rank :].sum(0)


def _allreduce_t(cotangent: jax.Array, aval: Any, communicator: Communicator, operator: Operator) -> jax.Array:
    return counted_once_p.bind(cotangent, communicator=communicator, operator=operator)


def _define_counted_once() -> Primitive:
    """The transpose of `allreduce`: the identity, which remembers what it is the transpose of."""
    primitive = Primitive("jaxmpi_allreduce_transposed")
    primitive.def_impl(lambda x, **static: xla.apply_primitive(primitive, x, **static))
    primitive.def_abstract_eval(lambda x, **_: ShapedArray(x.shape, x.dtype))
    mlir.register_lowering(primitive, lambda _, x, **__: [x])
    batching.primitive_batchers[primitive] = lambda arrays, axes, **static: (
        primitive.bind(*arrays, **static),
        axes[0],
    )
    _linear(primitive, lambda cotangent, _, **static: primitives.allreduce_p.bind(cotangent, **static))
    return primitive


def _tied_jvp(primals: Results, tangents: Results) -> tuple[Any, Any]:
    return primitives.tied_p.bind(*primals), primitives.tied_p.bind(*map(_filled, tangents))


def _tied_t(cotangent: Any, array: Any, nothing: Any) -> tuple[Any, Any]:
    return (
        cotangent if ad.is_undefined_primal(array) else None,
        _zeros(nothing.aval) if ad.is_undefined_primal(nothing) else None,
    )


def _sendrecv_jvp(primals: Results, tangents: Results, **static: Any) -> tuple[Any, Any]:
    received = primitives.sendrecv_p.bind(*primals, **static)
    if not jnp.issubdtype(received.dtype, jnp.inexact):
        return received, ad.Zero.from_primal_value(received)
    sent, template = (_filled(tangent) for tangent in tangents[:2])
    return received, primitives.sendrecv_p.bind(sent, template, **static)


def _sendrecv_t(
    cotangent: Any,
    sendbuf: Any,
    recvbuf: Any,
    communicator: Communicator,
    source: int,
    dest: int,
    sendtag: int,
    recvtag: int,
) -> tuple[Any, Any]:
    """The way back: to where the message came from, with the tag that it had, as far as this rank knows it."""
    if source == MPI.ANY_SOURCE:
        raise NotImplementedError("sendrecv from ANY_SOURCE cannot be transposed: name the source")
    given = _filled(cotangent)
    any_tag = recvtag == MPI.ANY_TAG
    back = primitives.sendrecv_p.bind(
        given,
        _zeros(_aval(sendbuf)),
        communicator=communicator,
        source=dest,
        dest=source,
        sendtag=sendtag if any_tag else recvtag,
        recvtag=MPI.ANY_TAG if any_tag else sendtag,
    )
    unsent = given if source == MPI.PROC_NULL else ad.Zero(_aval(recvbuf))
    return (
        back if ad.is_undefined_primal(sendbuf) else None,
        unsent if ad.is_undefined_primal(recvbuf) else None,
    )


def _aval(x: Any) -> Any:
    return x.aval if ad.is_undefined_primal(x) else jax.typeof(x)


def _no_derivative(primitive: Primitive, name: str) -> None:
    def jvp(primals: Results, tangents: Results, **static: Any) -> None:
        raise NotImplementedError(
            f"{name} has no derivative, because the other rank cannot know that there is one: use sendrecv"
        )

    ad.primitive_jvps[primitive] = jvp


counted_once_p = _define_counted_once()
_linear(primitives.allreduce_p, _allreduce_t)
_linear(primitives.reduce_p, _reduce_t)
_linear(primitives.bcast_p, _bcast_t)
_linear(primitives.gather_p, _gather_t)
_linear(primitives.scatter_p, _scatter_t)
_linear(primitives.allgather_p, _allgather_t)
_linear(primitives.alltoall_p, _alltoall_t)
_linear(primitives.scan_p, _scan_t)
ad.primitive_jvps[primitives.sendrecv_p] = _sendrecv_jvp
ad.primitive_transposes[primitives.sendrecv_p] = _sendrecv_t
ad.primitive_jvps[primitives.tied_p] = _tied_jvp
ad.primitive_transposes[primitives.tied_p] = _tied_t
_no_derivative(primitives.send_p, "send")
_no_derivative(primitives.recv_p, "recv")
