import jax
import jax.numpy as jnp


def init_mlp(sizes, seed=0):
    keys = jax.random.split(jax.random.PRNGKey(seed), len(sizes) - 1)
    return [(jax.random.normal(k, (m, n)) / jnp.sqrt(m), jnp.zeros(n))
            for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def apply(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def xent(params, x, y):
    logits = apply(params, x)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1))


def n_correct(params, x, y):
    return jnp.sum(apply(params, x).argmax(-1) == y)
