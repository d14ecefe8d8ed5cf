import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from store import StateStore


def ridge_step(w, x, y, lr):
    def loss(v):
        return jnp.mean((x @ v - y) ** 2) + 1e-3 * jnp.sum(v * v)

    value, grad = jax.value_and_grad(loss)(w)
    return w - lr * grad, value


class TrainingSession:
    def __init__(self, cfg, runtime, budget):
        self.cfg = cfg
        self.runtime = runtime
        self.budget = budget
        self.store = StateStore(cfg.folder)
        self.step = 0
        self.weights = np.zeros(cfg.dims, np.float32)
        mesh = jax.make_mesh((jax.device_count(),), ("data",))
        self.split = NamedSharding(mesh, P("data"))
        self.same = NamedSharding(mesh, P())
        self._update = jax.jit(ridge_step, out_shardings=(self.same, self.same))

    def restore(self, fresh=False):
        if self.runtime.primary:
            if fresh:
                self.store.clear()
            if self.store.exists():
                self.weights, meta = self.store.load()
                self.step = meta["step"]
        self.weights = self.runtime.from_primary(self.weights)
        self.runtime.say(f"session from step {self.step} to {self.budget}")

    def _rows(self):
        rng = np.random.default_rng((self.step, self.runtime.index))
        x = rng.normal(size=(self.cfg.rows, self.cfg.dims)).astype(np.float32)
        y = x @ np.linspace(-1, 1, self.cfg.dims, dtype=np.float32)
        return x, y + 0.05 * rng.normal(size=self.cfg.rows).astype(np.float32)

    def _save(self, w):
        if self.runtime.primary:
            self.store.save(np.asarray(w), step=self.step)
        self.runtime.wait("save")

    def run(self):
        w = jax.make_array_from_process_local_data(self.same, np.asarray(self.weights))
        value = jnp.inf
        while self.step < self.budget:
            x, y = (jax.make_array_from_process_local_data(self.split, a) for a in self._rows())
            w, value = self._update(w, x, y, self.cfg.lr)
            self.step += 1
            if self.step % self.cfg.save_every == 0:
                self._save(w)
        return float(value)
