import jax
import jax.numpy as jnp


def init(key, nhidden=8):
    k1, k2 = jax.random.split(key)
    return {
        "alpha": jnp.asarray(0.4),
        "w1": 0.1 * jax.random.normal(k1, (1, nhidden)),
        "w2": 0.1 * jax.random.normal(k2, (nhidden,)),
    }


def log_psi(params, x):
    h = jnp.tanh(x[..., None] ** 2 @ params["w1"])
    return -params["alpha"] * x ** 2 + h @ params["w2"]


def local_energy(params, x):
    """harmonic oscillator, hbar = m = omega = 1"""
    f = lambda z: log_psi(params, z)
    d1 = jax.vmap(jax.grad(f))(x)
    d2 = jax.vmap(jax.grad(jax.grad(f)))(x)
    return -0.5 * (d2 + d1 ** 2) + 0.5 * x ** 2
