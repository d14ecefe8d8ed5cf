import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


def init(key, vocab, dim):
    a, b = jax.random.split(key)
    return {
        "embed": jax.random.normal(a, (vocab, dim)) * 0.3,
        "out": jax.random.normal(b, (dim, vocab)) * 0.3,
    }


def token_losses(params, now, nxt):
    logp = jax.nn.log_softmax(params["embed"][now] @ params["out"])
    return -jnp.take_along_axis(logp, nxt[:, None], axis=1)[:, 0]


def sgd(params, now, nxt, lr):
    def mean_loss(p):
        each = token_losses(p, now, nxt)
        return each.mean(), each

    (loss, each), grads = jax.value_and_grad(mean_loss, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss, each


class BigramTrainer:
    def __init__(self, cfg, monitor):
        self.cfg = cfg
        self.monitor = monitor
        self.step = 0
        mesh = jax.make_mesh((jax.device_count(),), ("batch",), axis_types=(AxisType.Auto,))
        self.split = NamedSharding(mesh, P("batch"))
        self.same = NamedSharding(mesh, P())
        self.rng = np.random.default_rng((cfg["seed"], jax.process_index()))
        self._step_fn = jax.jit(sgd, out_shardings=(self.same, self.same, self.split))

    def _tokens(self):
        now = self.rng.integers(0, self.cfg["vocab"], size=self.cfg["rows"], dtype=np.int32)
        jump = self.rng.choice([1, 1, 1, 2], size=now.size).astype(np.int32)
        return now, (now + jump) % np.int32(self.cfg["vocab"])

    def train(self):
        key = jax.random.key(self.cfg["seed"])
        params = jax.jit(init, static_argnums=(1, 2), out_shardings=self.same)(
            key, self.cfg["vocab"], self.cfg["dim"])
        loss = None
        while self.step < self.cfg["steps"]:
            self.step += 1
            self.monitor.start_step()
            batch = [jax.make_array_from_process_local_data(self.split, t) for t in self._tokens()]
            params, loss, each = self._step_fn(params, *batch, self.cfg["lr"])
            own = np.concatenate([s.data for s in each.addressable_shards]).mean()
            self.monitor.end_step(self.step, float(loss), float(own))
        return float(loss)
