"""Derivatives against finite differences over all ranks, for the conventions that the documentation states."""

from __future__ import annotations

from collections.abc import Callable

import checking
import jax
import jax.numpy as jnp
import numpy as np
from checking import RANK, SIZE
from jax._src import effects
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

jax.config.update("jax_enable_x64", True)
NEXT, PREVIOUS = (RANK + 1) % SIZE, (RANK - 1) % SIZE
STEP = 1e-6
Loss = Callable[[jax.Array], jax.Array]
WEIGHTS = jax.random.normal(jax.random.key(100 + RANK), (40,))


def total(result: jax.Array) -> jax.Array:
    """A loss of all ranks, in which every element of this rank's result counts differently."""
    return core.allreduce((jnp.sin(result).ravel() * WEIGHTS[: result.size]).sum(), MPI.SUM)


def given(*shape: int) -> jax.Array:
    return jax.random.normal(jax.random.key(RANK), shape)


def differences(loss: Loss, x: jax.Array) -> np.ndarray:
    """The derivative of the common loss with respect to each element of this rank's argument."""
    shapes = checking.WORLD.allgather(x.size)
    slopes = np.zeros(x.size)
    for rank, count in enumerate(shapes):
        for index in range(count):
            sides = []
            for step in (STEP, -STEP):
                moved = np.asarray(x).ravel().copy()
                if rank == RANK:
                    moved[index] += step
                sides.append(float(loss(jnp.asarray(moved).reshape(x.shape))))
            if rank == RANK:
                slopes[index] = (sides[0] - sides[1]) / (2 * STEP)
    return slopes.reshape(x.shape)


def agree(loss: Loss, x: jax.Array) -> None:
    """Gradients, compiled as a whole, in parts and checkpointed, and directional derivatives are the differences."""
    compiled = jax.jit(loss)
    wanted = differences(compiled, x)
    for gradient in (jax.jit(jax.grad(loss)), jax.grad(compiled), jax.jit(jax.grad(jax.checkpoint(loss)))):
        np.testing.assert_allclose(gradient(x), wanted, rtol=1e-5, atol=1e-7)
    direction = jax.random.normal(jax.random.key(50 + RANK), x.shape)
    slope = jax.jit(lambda x, direction: jax.jvp(loss, (x,), (direction,))[1])(x, direction)
    all_ranks = checking.WORLD.allreduce(float((wanted * direction).sum()))
    np.testing.assert_allclose(slope, all_ranks, rtol=1e-5, atol=1e-7)


def check_allreduce() -> None:
    agree(lambda x: total(x * 2) ** 2, given(3))


def check_reduce() -> None:
    for root in range(SIZE):
        agree(lambda x, root=root: total(core.reduce(x**2, MPI.SUM, root)), given(3))


def check_bcast() -> None:
    for root in range(SIZE):
        agree(lambda x, root=root: total(core.bcast(x**2, root)), given(3))


def check_gather() -> None:
    for root in range(SIZE):
        agree(lambda x, root=root: total(core.gather(x**2, root)), given(3))


def check_scatter() -> None:
    for root in range(SIZE):
        shape = (SIZE, 3) if root == RANK else (3,)
        agree(lambda x, root=root: total(core.scatter(x**2, root)), given(*shape))


def check_allgather() -> None:
    agree(lambda x: total(core.allgather(x**2)), given(3))


def check_alltoall() -> None:
    agree(lambda x: total(core.alltoall(x**2)), given(SIZE, 3))


def check_scan() -> None:
    agree(lambda x: total(core.scan(x**2, MPI.SUM)), given(3))


def check_sendrecv() -> None:
    agree(lambda x: total(core.sendrecv(x**2, x, PREVIOUS, NEXT)), given(3))


def check_sendrecv_with_a_tag_for_each_pair() -> None:
    agree(
        lambda x: total(core.sendrecv(x**2, x, PREVIOUS, NEXT, sendtag=RANK, recvtag=PREVIOUS)),
        given(3),
    )


def check_sendrecv_along_a_line() -> None:
    """At the ends the result is the template, which then has the derivative."""
    source, dest = RANK - 1 if RANK else MPI.PROC_NULL, RANK + 1 if RANK < SIZE - 1 else MPI.PROC_NULL
    agree(lambda x: total(core.sendrecv(x**2, jnp.cos(x), source, dest)), given(3))


def check_sendrecv_of_different_sizes() -> None:
    agree(lambda x: total(core.sendrecv(x**2, jnp.zeros(PREVIOUS + 1), PREVIOUS, NEXT)), given(RANK + 1))


def check_loops() -> None:
    def loss(x: jax.Array) -> jax.Array:
        def body(state: jax.Array, _: None) -> tuple[jax.Array, None]:
            return jnp.sin(state + core.sendrecv(state, state, PREVIOUS, NEXT)), None

        return total(jax.lax.scan(body, x, None, 3)[0])

    agree(loss, given(3))


def check_checkpointed_loop() -> None:
    def loss(x: jax.Array) -> jax.Array:
        @jax.checkpoint
        def body(state: jax.Array, _: None) -> tuple[jax.Array, None]:
            return jnp.sin(state + core.bcast(core.scan(state, MPI.SUM), SIZE - 1)), None

        return total(jax.lax.scan(body, x, None, 3)[0])

    agree(loss, given(3))


def check_second_derivative() -> None:
    def slope(x: jax.Array) -> jax.Array:
        return total(jax.grad(lambda y: total(core.sendrecv(y**3, y, PREVIOUS, NEXT)))(x))

    agree(slope, given(3))


def check_linear_transpose() -> None:
    """Transposing twice gives the operation; once, for `allreduce`, the identity."""
    x = given(3)

    def operation(y: jax.Array) -> jax.Array:
        return core.allreduce(y, MPI.SUM)

    (once,) = jax.linear_transpose(operation, x)(x)
    np.testing.assert_array_equal(once, x)
    (twice,) = jax.linear_transpose(lambda y: jax.linear_transpose(operation, x)(y)[0], x)(x)
    np.testing.assert_allclose(twice, operation(x))


def check_unused_result_takes_part() -> None:
    """The other ranks' derivatives need what this rank does not use; old releases of jax drop it."""
    if not hasattr(effects, "partial_eval_kept_effects"):
        return

    def loss(x: jax.Array) -> jax.Array:
        result = core.bcast(x, 0)
        return (result * (RANK + 1)).sum() if RANK else jnp.zeros(())

    gradient = jax.grad(loss)(given(3))
    np.testing.assert_allclose(gradient, sum(range(2, SIZE + 1)) if RANK == 0 else 0)


def check_complex() -> None:
    x = given(3) + 1j * jax.random.normal(jax.random.key(RANK + 7), (3,))

    def loss(z: jax.Array) -> jax.Array:
        return core.allreduce(jnp.sum(jnp.abs(core.sendrecv(z**2, z, PREVIOUS, NEXT)) ** 2), MPI.SUM)

    np.testing.assert_allclose(jax.grad(loss)(x), 4 * jnp.abs(x) ** 2 * jnp.conj(x), rtol=1e-10)


def check_what_has_no_derivative() -> None:
    for operation, word in (
        (lambda x: core.allreduce(x, MPI.MAX), "MPI.SUM"),
        (lambda x: core.scan(x, MPI.PROD), "MPI.SUM"),
        (lambda x: core.recv(x, MPI.PROC_NULL), "sendrecv"),
    ):
        try:
            jax.grad(lambda x, operation=operation: operation(x).sum())(given(3))
        except NotImplementedError as error:
            assert word in str(error)
        else:
            raise AssertionError("a derivative was made up")


checking.run(globals())
