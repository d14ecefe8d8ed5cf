from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=2)
def asian_call(key, market, paths, sigma=0.25):
    t = jnp.asarray(market.fixings)
    dt = jnp.diff(t, prepend=0.0)
    z = jax.random.normal(key, (paths, 12))
    drift = (market.rate - 0.5 * sigma ** 2) * dt
    log_s = jnp.cumsum(drift + sigma * jnp.sqrt(dt) * z, axis=1)
    average = market.spot * jnp.exp(log_s).mean(axis=1)
    payoff = jnp.maximum(average - market.strike, 0.0)
    return jnp.exp(-market.rate) * payoff.mean()
