import jax
import jax.numpy as jnp
import numpy as np


def objective(params, x, y):
    z = x @ params["w"] + params["b"]
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


class Learner:
    def __init__(self, opts, rt):
        self.rt = rt
        start = {"w": np.zeros(opts.features, np.float32), "b": np.float32(0.0)}
        self.params = jax.tree.map(self.replicate, start)

        def update(params, x, y):
            value, grads = jax.value_and_grad(objective)(params, x, y)
            return jax.tree.map(lambda p, g: p - opts.rate * g, params, grads), value
        self.update = jax.jit(update, out_shardings=(rt.whole, rt.whole))

    def replicate(self, value):
        value = np.asarray(value)
        return jax.make_array_from_callback(value.shape, self.rt.whole, lambda i: value[i])

    def step(self, x, y):
        self.params, value = self.update(self.params, x, y)
        return float(value)

    def accuracy(self, data):
        host = jax.tree.map(lambda p: np.asarray(p.addressable_data(0)), self.params)
        return float((((data.x @ host["w"] + host["b"]) > 0) == (data.y > 0.5)).mean())
