"""Data-parallel training with flax.linen and optax, evaluated by the first process alone."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state
from job import NUMBER, WHOLE, batch, told


class Network(nn.Module):
    """Two layers with dropout between them."""

    @nn.compact
    def __call__(self, rows, train):
        hidden = nn.relu(nn.Dense(16)(rows))
        return nn.Dense(1)(nn.Dropout(0.1, deterministic=not train)(hidden))[:, 0]


network = Network()
first = network.init(jax.random.key(0), jnp.zeros((1, 4)), train=False)
state = train_state.TrainState.create(apply_fn=network.apply, params=first["params"], tx=optax.adam(1e-2))
state = jax.device_put(state, WHOLE)


@jax.jit
def step(state, rows, key):
    def loss(params):
        out = state.apply_fn({"params": params}, rows, train=True, rngs={"dropout": key})
        return jnp.mean((out - rows.sum(axis=1)) ** 2)

    value, slopes = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=slopes), value


key = jax.random.key(1)
for number in range(100):
    key, own = jax.random.split(key)
    state, value = step(state, batch(number), own)
    if number % 25 == 0:
        told("loss", value)
        if NUMBER == 0:
            params = jax.tree.map(lambda one: one.addressable_data(0), state.params)
            told("alone", network.apply({"params": params}, jnp.ones((2, 4)), train=False))
told("step", state.step)
