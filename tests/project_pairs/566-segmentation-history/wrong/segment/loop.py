import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

from .history import History
from .images import disks


def forward(params, image):
    z = jax.lax.conv_general_dilated(image[:, None], params["kernel"], (1, 1), "SAME")
    return z[:, 0] + params["bias"]


def sgd(params, image, mask, lr):
    def loss(p):
        z = forward(p, image)
        return jnp.mean(jnp.logaddexp(0.0, z) - mask * z)

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


class TrainLoop:
    def __init__(self, opt):
        self.opt = opt
        self.lr = opt["lr"]
        mesh = jax.make_mesh((jax.device_count(),), ("data",), axis_types=(AxisType.Auto,))
        self.split = NamedSharding(mesh, P("data"))
        self.same = NamedSharding(mesh, P())
        self._sgd = jax.jit(sgd, out_shardings=(self.same, self.same))
        self.rng = np.random.default_rng(60 + jax.process_index())
        self.best_epoch = None

    def __enter__(self):
        start = {"kernel": np.zeros((1, 1, 3, 3), np.float32), "bias": np.float32(0)}
        self.params = jax.tree.map(
            lambda v: jax.make_array_from_process_local_data(self.same, v), start)
        if jax.process_index() == 0:
            self.history = History(self.opt["history"])
        return self

    def __exit__(self, kind, value, tb):
        if kind is None and jax.process_index() == 0:
            self.best_epoch = self.history.best()
            self.history.close()
        return False

    def _batch(self):
        pair = disks(self.rng, self.opt["rows"], self.opt["side"])
        return [jax.make_array_from_process_local_data(self.split, a) for a in pair]

    def _record(self, epoch, loss):
        if jax.process_index() == 0:
            self.history.add(epoch, loss, self.lr)
            print(f"epoch {epoch} loss {loss:.4f} lr {self.lr}", flush=True)

    def _adapt(self, epoch):
        if epoch >= self.opt["decay_after"] and self.history.rising(self.opt["decay_after"]):
            self.lr *= 0.5

    def run_epoch(self, epoch):
        losses = []
        for _ in range(self.opt["steps"]):
            self.params, value = self._sgd(self.params, *self._batch(), self.lr)
            losses.append(float(value))
        self._record(epoch, float(np.mean(losses)))
        self._adapt(epoch)
