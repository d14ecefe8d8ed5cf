"""The shallow water equations on one block of a rectangular basin: fluxes, walls, time step. No communication.

A state is an array (3, nx, ny) of water depth and the two components of momentum. Axis 1 is x, axis 2 is y.
"""

import jax
import jax.numpy as jnp

GRAVITY, CELL, COURANT = 9.81, 1.0, 0.4
REFLECT = {1: jnp.array([1.0, -1.0, 1.0]), 2: jnp.array([1.0, 1.0, -1.0])}


def still_water_with_a_bump(points: int, x: slice, y: slice) -> jax.Array:
    """A block of the initial state of a basin of ``points`` times ``points`` cells: a bump of water off the centre."""
    along = jnp.arange(points, dtype=jnp.float32) / points
    bump = jnp.exp(-60.0 * ((along[:, None] - 0.4) ** 2 + (along[None, :] - 0.55) ** 2))
    depth = (1.0 + 0.3 * bump)[x, y]
    return jnp.stack([depth, jnp.zeros_like(depth), jnp.zeros_like(depth)])


def edge(state: jax.Array, axis: int, last: bool) -> jax.Array:
    """The first or last line of cells along an axis."""
    return (
        jax.lax.slice_in_dim(state, state.shape[axis] - 1, state.shape[axis], axis=axis)
        if last
        else (jax.lax.slice_in_dim(state, 0, 1, axis=axis))
    )


def mirror(line: jax.Array, axis: int) -> jax.Array:
    """The mirror image beyond a wall: the same water, moving in the opposite direction."""
    return line * REFLECT[axis][:, None, None]


def walls(state: jax.Array) -> list[tuple[jax.Array, jax.Array]]:
    """The lines before and after the block along each axis when all of its edges are walls."""
    return [(mirror(edge(state, axis, False), axis), mirror(edge(state, axis, True), axis)) for axis in (1, 2)]


def largest_step(state: jax.Array) -> jax.Array:
    """The longest stable time step for this block alone."""
    depth = state[0]
    speed = jnp.abs(state[1:] / depth).max(axis=0) + jnp.sqrt(GRAVITY * depth)
    return COURANT * CELL / speed.max()


def flux(state: jax.Array, axis: int) -> jax.Array:
    """The flux of the state along an axis."""
    depth = state[0]
    velocity = state[axis] / depth
    return state * velocity + jnp.zeros_like(state).at[axis].set(0.5 * GRAVITY * depth**2)


def advance(state: jax.Array, halo: list[tuple[jax.Array, jax.Array]], step: jax.Array) -> jax.Array:
    """One step of the Lax-Friedrichs scheme; ``halo`` has the lines before and after the block along each axis."""
    result = jnp.zeros_like(state)
    for axis, (before, after) in zip((1, 2), halo, strict=True):
        lower = jnp.concatenate([before, jax.lax.slice_in_dim(state, 0, -1, axis=axis)], axis=axis)
        upper = jnp.concatenate([jax.lax.slice_in_dim(state, 1, None, axis=axis), after], axis=axis)
        result = result + 0.25 * (lower + upper) - step / (2.0 * CELL) * (flux(upper, axis) - flux(lower, axis))
    return result


def alone(points: int, duration: float) -> jax.Array:
    """The whole basin, computed by one process."""
    everything = slice(0, points)
    state = still_water_with_a_bump(points, everything, everything)
    step_alone = jax.jit(lambda s: (advance(s, walls(s), largest_step(s)), largest_step(s)))
    elapsed = 0.0
    while elapsed < duration:
        state, step = step_alone(state)
        elapsed += float(step)
    return state
