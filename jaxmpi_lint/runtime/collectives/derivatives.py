"""Derivatives. Every rank must differentiate the same operations, because derivatives communicate as well.

Over all ranks, each operation is a linear map from the ranks' arguments to their results. It is transposed as such,
with the inner product summed over the ranks. The exception is `allreduce`: its result counts once and not once per
rank, so its transpose is the identity, as in mpi4jax. Hence `jax.grad` of a loss that ends in an `allreduce` is, on
each rank, the derivative of that loss with respect to this rank's arguments.
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
    """Instantiate a symbolic zero: other ranks may have a nonzero cotangent, and all ranks must communicate."""
    return ad.instantiate_zeros(cotangent)


def _linear(primitive: Primitive, transpose: Callable[..., Any]) -> None:
    """Register the derivatives of a linear operation of one array."""

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
    """Broadcast the root's cotangent."""
    if communicator.rank == root:
        primitives.bcast_p.bind(cotangent, communicator=communicator, root=root)
        return cotangent
    return primitives.bcast_p.bind(_zeros(aval), communicator=communicator, root=root)


def _bcast_t(cotangent: jax.Array, aval: Any, communicator: Communicator, root: int) -> Any:
    """Sum the cotangents of the other ranks on the root, whose result is its argument and does not count here."""
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
    """The sum over this rank and all higher ones; `total - scan + own` would lose precision by cancellation."""
    rows = primitives.allgather_p.bind(cotangent, communicator=communicator)
    return rows[communicator.rank :].sum(0)


def _allreduce_t(cotangent: jax.Array, aval: Any, communicator: Communicator, operator: Operator) -> jax.Array:
    return counted_once_p.bind(cotangent, communicator=communicator, operator=operator)


def _define_counted_once() -> Primitive:
    """The transpose of `allreduce`: an identity primitive whose transpose is `allreduce`."""
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
    """Send the cotangent back to the source, with the tag of the message if it is known."""
    if source == MPI.ANY_SOURCE:
        raise NotImplementedError("sendrecv from ANY_SOURCE cannot be transposed; name the source")
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
            f"{name} has no derivative, because the partner rank would have to communicate for it; use sendrecv"
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
