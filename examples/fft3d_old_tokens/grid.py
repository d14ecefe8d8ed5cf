"""A grid of processes for the distributed FFT: two communicators, and the part of the field on each rank."""

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

POINTS = 16

shape = MPI.Compute_dims(MPI.COMM_WORLD.Get_size(), 2)
grid = MPI.COMM_WORLD.Create_cart(shape, periods=(False, False))
rows = grid.Sub((True, False))
columns = grid.Sub((False, True))


def whole_field() -> np.ndarray:
    """The whole field to transform, as a numpy array."""
    return np.random.default_rng(11).standard_normal((POINTS, POINTS, POINTS)).astype(np.complex64)


def part(coordinate: int, parts: int) -> slice:
    """The indices of one of several equal parts of an axis."""
    return slice(coordinate * POINTS // parts, (coordinate + 1) * POINTS // parts)


def before(field: np.ndarray) -> jax.Array:
    """This rank's pencil along z: x is divided over ``rows``, y over ``columns``."""
    return jnp.asarray(field[part(rows.Get_rank(), shape[0]), part(columns.Get_rank(), shape[1])])


def after(field: np.ndarray) -> jax.Array:
    """This rank's pencil along x: y is divided over ``rows``, z over ``columns``."""
    return jnp.asarray(field[:, part(rows.Get_rank(), shape[0]), part(columns.Get_rank(), shape[1])])
