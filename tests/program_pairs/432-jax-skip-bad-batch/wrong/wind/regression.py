import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class OnlineRegression:
    def __init__(self, nfeat, lr=0.1):
        mesh = Mesh(np.array(jax.devices()), ("group",))
        self.sharding = NamedSharding(mesh, P("group"))
        self.theta = jax.device_put(np.zeros(nfeat + 1, np.float32), NamedSharding(mesh, P()))
        self.lr = lr
        self._step = jax.jit(self._update)

    @staticmethod
    def _update(theta, x, y, w, lr):
        def loss(t):
            r = x @ t[:-1] + t[-1] - y
            return jnp.sum(w * r ** 2) / jnp.maximum(w.sum(), 1.0)
        v, g = jax.value_and_grad(loss)(theta)
        return theta - lr * g, v

    def learn(self, *local):
        x, y, w = (jax.make_array_from_process_local_data(self.sharding, a) for a in local)
        self.theta, v = self._step(self.theta, x, y, w, self.lr)
        return v
