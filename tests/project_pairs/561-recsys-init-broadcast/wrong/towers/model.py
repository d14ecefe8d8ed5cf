import jax
import jax.numpy as jnp


def init_towers(key, users, items, dim):
    ku, ki = jax.random.split(key)
    scale = dim ** -0.5
    return {
        "user": scale * jax.random.normal(ku, (users, dim)),
        "item": scale * jax.random.normal(ki, (items, dim)),
        "bias": jnp.zeros(items),
    }


def loss_fn(params, user, item, clicked):
    score = jnp.sum(params["user"][user] * params["item"][item], axis=1) + params["bias"][item]
    return jnp.mean(jnp.logaddexp(0.0, score) - clicked * score)


@jax.jit
def loss_and_grads(params, user, item, clicked):
    return jax.value_and_grad(loss_fn)(params, user, item, clicked)


@jax.jit
def apply(params, grads, lr):
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)
