import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from .env import say
from .runfolder import RunFolder


def init(key, features, code):
    a, b = jax.random.split(key)
    return {
        "enc": 0.3 * jax.random.normal(a, (features, code)),
        "dec": 0.3 * jax.random.normal(b, (code, features)),
    }


def step(params, x, lr):
    def loss(p):
        return jnp.mean((jnp.tanh(x @ p["enc"]) @ p["dec"] - x) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), value


class Experiment:
    def __init__(self, args):
        self.args = args
        self.folder = RunFolder(args.runs, args.name)
        mesh = jax.make_mesh((jax.device_count(),), ("data",))
        self.split = NamedSharding(mesh, P("data"))
        self.same = NamedSharding(mesh, P())
        self._step = jax.jit(step, out_shardings=(self.same, self.same))
        self.losses = {}

    def _batch(self, stage, number):
        rng = np.random.default_rng((len(stage), number, jax.process_index()))
        mix = np.random.default_rng(77).normal(size=(self.args.code, self.args.features))
        x = rng.normal(size=(self.args.rows, self.args.code)) @ mix
        return jax.make_array_from_process_local_data(self.split, x.astype(np.float32))

    def _loop(self, stage, params, steps, lr):
        value = None
        for number in range(steps):
            params, value = self._step(params, self._batch(stage, number), lr)
        self.losses[stage] = float(value)
        self.folder.save(stage, params)
        return params

    def pretrain(self):
        build = jax.jit(init, static_argnums=(1, 2), out_shardings=self.same)
        params = build(jax.random.key(0), self.args.features, self.args.code)
        self._loop("pretrain", params, self.args.pretrain_steps, lr=0.3)

    def finetune(self):
        stored = self.folder.load("pretrain")
        params = jax.tree.map(
            lambda v: jax.make_array_from_process_local_data(self.same, v), stored)
        self._loop("finetune", params, self.args.finetune_steps, lr=0.05)

    def report(self):
        text = " ".join(f"{k}={v:.4f}" for k, v in self.losses.items())
        self.folder.note(text)
        say(text)
