"""Data-parallel training with flax.nnx, with parameters sharded over the devices."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from job import MESH, WHOLE, batch, told


class Network(nnx.Module):
    """Two layers."""

    def __init__(self, rngs):
        self.first = nnx.Linear(4, 16, rngs=rngs)
        self.second = nnx.Linear(16, 1, rngs=rngs)

    def __call__(self, rows):
        return self.second(nnx.relu(self.first(rows)))[:, 0]


model = Network(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(1e-2), wrt=nnx.Param)
for part in (model, optimizer):
    nnx.update(part, jax.device_put(nnx.state(part), WHOLE))


@nnx.jit
def step(model, optimizer, rows):
    def loss(model):
        return jnp.mean((model(rows) - rows.sum(axis=1)) ** 2)

    value, slopes = nnx.value_and_grad(loss)(model)
    optimizer.update(model, slopes)
    return value


with MESH:
    for number in range(60):
        value = step(model, optimizer, batch(number))
        if number % 20 == 0:
            told("loss", value)
told("bias", model.second.bias[...])
