import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def make_mesh():
    return Mesh(np.array(jax.devices()), ("data",))


def init_state(mesh, seed):
    w = jax.random.normal(jax.random.key(seed), (8, 1))
    return jax.device_put({"w": w, "m": jnp.zeros_like(w)}, NamedSharding(mesh, P()))


def global_batch(mesh, step, per_device=16):
    rng = np.random.default_rng([step, jax.process_index()])
    x = rng.normal(size=(per_device * jax.local_device_count(), 8)).astype(np.float32)
    y = x.sum(axis=1, keepdims=True)
    sharding = NamedSharding(mesh, P("data"))
    return tuple(jax.make_array_from_process_local_data(sharding, a) for a in (x, y))


@jax.jit
def train_step(state, batch, lr):
    x, y = batch
    loss, g = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(state["w"])
    m = 0.9 * state["m"] + g
    return {"w": state["w"] - lr * m, "m": m}, loss
