"""`vmap` gives what a loop would give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import checking
import jax
import jax.numpy as jnp
import numpy as np
from checking import RANK, SIZE
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

NEXT, PREVIOUS = (RANK + 1) % SIZE, (RANK - 1) % SIZE
BATCH = 3


def given(*shape: int) -> jax.Array:
    return jnp.arange(float(np.prod(shape))).reshape(shape) + 1000 * RANK


def same(operation: Callable[..., Any], array: jax.Array, axis: int = 0, out: int = 0) -> None:
    """With the batch on this axis of argument and result."""
    rows = jnp.moveaxis(array, axis, 0)
    wanted = jnp.stack([operation(row) for row in rows], out)
    for mapped in (jax.vmap(operation, axis, out), jax.jit(jax.vmap(operation, axis, out))):
        np.testing.assert_array_equal(mapped(array), wanted)


def check_elementwise() -> None:
    for operation in (
        lambda x: core.allreduce(x, MPI.SUM),
        lambda x: core.scan(x, MPI.SUM),
        lambda x: core.reduce(x, MPI.MAX, SIZE - 1),
        lambda x: core.bcast(x, SIZE - 1),
    ):
        same(operation, given(BATCH, 4))
        same(operation, given(4, BATCH), 1, 1)
        same(operation, given(4, 2, BATCH), -1, 0)


def check_gathering() -> None:
    for operation in (core.allgather, lambda x: core.gather(x, 0)):
        same(operation, given(BATCH, 2))
        same(operation, given(2, BATCH), 1, 1)


def check_alltoall() -> None:
    same(core.alltoall, given(BATCH, SIZE, 2))
    same(core.alltoall, given(SIZE, 2, BATCH), 2, 1)
    same(core.alltoall, given(SIZE, BATCH), 1, 0)


def check_scatter() -> None:
    for root in range(SIZE):
        shape = (BATCH, SIZE, 2) if root == RANK else (BATCH, 2)
        same(lambda x, root=root: core.scatter(x, root), given(*shape))


def check_axis_of_the_batch_may_differ_between_ranks() -> None:
    array = given(BATCH, 4) if RANK == 0 else given(4, BATCH)
    result = jax.vmap(lambda x: core.bcast(x, 0), 0 if RANK == 0 else 1)(array)
    np.testing.assert_array_equal(result, np.arange(12.0).reshape(BATCH, 4))


def check_messages() -> None:
    same(lambda x: core.sendrecv(x, x, PREVIOUS, NEXT), given(BATCH, 4))
    same(lambda x: core.sendrecv(x, x, PREVIOUS, NEXT), given(4, BATCH), 1, 1)
    if SIZE > 1 and RANK == 0:
        jax.vmap(lambda x: core.send(x, 1))(given(BATCH, 4))
    if RANK == 1:
        result = jax.vmap(lambda x: core.recv(x, 0))(given(BATCH, 4))
        np.testing.assert_array_equal(result, np.arange(12.0).reshape(BATCH, 4))


def check_only_one_of_sent_and_template_has_a_batch() -> None:
    array, other = given(BATCH, 4), jnp.zeros(4)
    result = jax.vmap(lambda x: core.sendrecv(x, other, PREVIOUS, NEXT))(array)
    np.testing.assert_array_equal(result, np.arange(12.0).reshape(BATCH, 4) + 1000 * PREVIOUS)
    result = jax.vmap(lambda x: core.sendrecv(array[0], x, PREVIOUS, NEXT))(array)
    np.testing.assert_array_equal(result, np.broadcast_to(np.arange(4.0) + 1000 * PREVIOUS, (BATCH, 4)))


def check_nested() -> None:
    array = given(2, BATCH, 4)
    result = jax.vmap(jax.vmap(core.allgather))(array)
    wanted = jnp.stack([jnp.stack([core.allgather(row) for row in rows]) for rows in array])
    np.testing.assert_array_equal(result, wanted)


def check_barrier_runs_once() -> None:
    def body(x: jax.Array) -> jax.Array:
        core.barrier()
        return x

    assert str(jax.make_jaxpr(jax.vmap(body))(given(BATCH))).count("jaxmpi_barrier") == 1
    jax.vmap(body)(given(BATCH))


def check_gradient_of_a_batch() -> None:
    def loss(x: jax.Array) -> jax.Array:
        return (core.sendrecv(x, x, PREVIOUS, NEXT) ** 2).sum()

    array = given(BATCH, 4)
    wanted = jnp.stack([jax.grad(loss)(row) for row in array])
    np.testing.assert_array_equal(jax.vmap(jax.grad(loss))(array), wanted)


checking.run(globals())
