import jax
import jax.numpy as jnp


@jax.jit
def energy(field):
    return 0.5 * jnp.sum(field**2)


@jax.jit
def column_sums(field):
    return field.sum(axis=0)


@jax.jit
def extremes(field):
    return jnp.stack([field.min(axis=0), field.max(axis=0)])


ALL = [energy, column_sums, extremes]
