import jax
import jax.numpy as jnp

NODES = jnp.cos(jnp.pi * (jnp.arange(24) + 0.5) / 24)


@jax.jit
def coefficients(values):
    k = jnp.arange(24)[:, None]
    return 2.0 / 24 * (jnp.cos(k * jnp.arccos(NODES)[None, :]) @ values)
