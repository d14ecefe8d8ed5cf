import jax
import jax.numpy as jnp


def init(key, widths):
    params = []
    for n_in, n_out in zip(widths, widths[1:]):
        key, sub = jax.random.split(key)
        params.append((jax.random.normal(sub, (n_in, n_out)) / jnp.sqrt(n_in), jnp.zeros(n_out)))
    return params


def apply(params, t):
    h = jnp.atleast_1d(t)
    for w, b in params[:-1]:
        h = jnp.tanh(h @ w + b)
    w, b = params[-1]
    return (h @ w + b)[0]


def residual_loss(params, times, rates):
    """du/dt = -rate * u with u(0) = 1."""
    u = lambda t: 1.0 + t * apply(params, t)
    du = jax.vmap(jax.grad(u))(times)
    return jnp.mean((du + rates * jax.vmap(u)(times)) ** 2)
