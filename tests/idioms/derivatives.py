"""Derivatives that are taken of something else, are defined, or are expected to be refused."""

import functools

import adjoints
import jax
import jax.numpy as jnp
import mpi4jax
import pytest
from mpi4py import MPI

comm = MPI.COMM_WORLD.Clone()


@adjoints.with_adjoint
def rows(x):
    return mpi4jax.allgather(x, comm=comm)


gathered = jax.custom_vjp(lambda x: mpi4jax.allgather(x, comm=comm))
gathered.defvjp(lambda x: (gathered(x), None), lambda _, g: (g[comm.rank],))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def sent(x, root):
    return mpi4jax.bcast(x, root, comm=comm)


gradients = [jax.grad(lambda x: f(x).sum()) for f in (rows, gathered)]
first = jax.grad(lambda x: rows(x).sum() + gathered(x).sum() + sent(x, 0).sum())


def loss(x):
    count = mpi4jax.allreduce(jnp.asarray(x, dtype=jnp.int32), op=MPI.MAX, comm=comm)
    whole = mpi4jax.allreduce(jnp.array(x, int), op=MPI.MAX, comm=comm)
    used = mpi4jax.allreduce(jnp.where(x, 1.0, 0.0), op=MPI.MAX, comm=comm)
    return x * count * whole * used


def chosen(x, index):
    return x[mpi4jax.bcast(index, 0, comm=comm)]


def step_of_index(x, index):
    value, pull = jax.vjp(chosen, x, index)
    return jax.grad(loss)(x), pull(value)


def spread(x):
    return mpi4jax.allgather(x, comm=comm).sum()


def is_differentiable(x):
    try:
        jax.grad(spread)(x)
    except (NotImplementedError, TypeError):
        return False
    return True


@pytest.mark.xfail
def test_gradient():
    jax.grad(spread)(1.0)


class Model:
    @functools.partial(jax.value_and_grad, argnums=2)
    def loss(self, batch, w):
        return (mpi4jax.bcast(batch, 0, comm=comm) * w).sum()

    def error(self, batch, w):
        return (mpi4jax.bcast(batch, 0, comm=comm) * w).sum()


def step(model, batch, w):
    return jax.grad(Model.error, argnums=2)(model, batch, w)


def is_refused(x):
    try:
        jax.grad(spread)(x)
    except:  # noqa: E722
        return True
    return False


def has_derivative(x):
    try:
        return jax.grad(spread)(x)
    except Exception:
        return None
