import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P


def loss(params, users, items, clicks):
    z = (params["users"][users] * params["items"][items]).sum(axis=1) + params["bias"]
    return jnp.mean(jnp.logaddexp(0.0, z) - clicks * z)


class FactorModel:
    """Replicated factors, batches split over the devices of all processes."""

    def __init__(self, cfg, mesh):
        self.split = NamedSharding(mesh, P("batch"))
        self.whole = NamedSharding(mesh, P())
        rng = np.random.default_rng(cfg.seed)
        start = {"users": rng.normal(scale=0.3, size=(cfg.users, cfg.rank)),
                 "items": rng.normal(scale=0.3, size=(cfg.items, cfg.rank)),
                 "bias": np.zeros(())}
        self.params = jax.tree.map(self.replicate, start)

        def update(params, *batch):
            value, grads = jax.value_and_grad(loss)(params, *batch)
            return jax.tree.map(lambda p, g: p - cfg.rate * g, params, grads), value
        self.update = jax.jit(update, out_shardings=(self.whole, self.whole))

    def replicate(self, value):
        value = np.asarray(value, dtype=np.float32)
        return jax.make_array_from_callback(value.shape, self.whole, lambda i: value[i])

    def train(self, *local):
        batch = [jax.make_array_from_process_local_data(self.split, x) for x in local]
        self.params, value = self.update(self.params, *batch)
        return float(value)
