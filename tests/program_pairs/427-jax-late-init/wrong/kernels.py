import jax
import jax.numpy as jnp

import parallel


def rbf(a, b, ell):
    d2 = jnp.sum((a[:, None] - b[None]) ** 2, -1)
    return jnp.exp(-0.5 * d2 / ell ** 2)


def normal_equations(x, y, z, ell):
    """Nystroem: z are the inducing points (replicated), x/y are sharded by rows"""
    k = rbf(x, z, ell)
    return k.T @ k, k.T @ y


def compiled():
    return jax.jit(normal_equations, static_argnames="ell",
                   out_shardings=(parallel.everywhere(), parallel.everywhere()))
