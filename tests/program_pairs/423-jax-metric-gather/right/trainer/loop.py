from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from .metrics import HostMetrics, fmt, is_chief


@dataclass
class Config:
    steps: int = 50
    log_every: int = 10
    batch: int = 16
    lr: float = 0.2


class TrainLoop:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        self.mesh = Mesh(np.array(jax.devices()), ("batch",))
        self.data = NamedSharding(self.mesh, P("batch"))
        self.w = jax.device_put(np.zeros(3, np.float32), NamedSharding(self.mesh, P()))
        self.metrics = HostMetrics()
        self.rng = np.random.default_rng(50 + jax.process_index())
        self.summary = {}

    def batch(self):
        x = self.rng.normal(size=(self.cfg.batch, 3)).astype(np.float32)
        y = (x.sum(axis=1) > 0).astype(np.float32)
        self.metrics.add("positives", y.mean())
        put = lambda a: jax.make_array_from_process_local_data(self.data, a)
        return put(x), put(y)

    @staticmethod
    @jax.jit
    def update(w, x, y, lr):
        def nll(w):
            z = x @ w
            return jnp.mean(jnp.logaddexp(0.0, z) - y * z)
        loss, g = jax.value_and_grad(nll)(w)
        return w - lr * g, loss

    def maybe_log(self, step, loss):
        if step % self.cfg.log_every:
            return
        self.metrics.add("loss", loss)
        merged = self.metrics.across_hosts()
        if is_chief():
            print(fmt(step, merged))
        self.summary = merged
        self.metrics.clear()

    def run(self):
        for step in range(1, self.cfg.steps + 1):
            x, y = self.batch()
            self.w, loss = self.update(self.w, x, y, self.cfg.lr)
            self.maybe_log(step, loss)
        return self.summary
