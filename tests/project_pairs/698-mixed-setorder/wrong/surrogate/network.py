import jax
import jax.numpy as jnp
import numpy as np

TASKS = ("drag", "lift", "moment")


class Network:
    """Shared trunk with a small head for each task."""

    def __init__(self, cfg):
        self.hidden = cfg["hidden"]
        self.seed = cfg["seed"]
        self.value_and_grad = jax.jit(jax.value_and_grad(self.loss))

    def init(self):
        rng = np.random.default_rng(self.seed)
        h = self.hidden
        shapes = {"trunk_w": (4, h), "trunk_b": (h,), "mix_w": (h, h), "mix_b": (h,)}
        for task in TASKS:
            shapes[f"{task}_w"], shapes[f"{task}_b"] = (h,), ()
        return {k: (rng.normal(size=s) / np.sqrt(max(s[:1] or (1,)))).astype(np.float32)
                for k, s in shapes.items()}

    def loss(self, params, x, y):
        z = jnp.tanh(x @ params["trunk_w"] + params["trunk_b"])
        z = jnp.tanh(z @ params["mix_w"] + params["mix_b"])
        out = [z @ params[f"{t}_w"] + params[f"{t}_b"] for t in TASKS]
        return jnp.mean((jnp.stack(out, axis=1) - y) ** 2)

    def checksum(self, params):
        return float(sum(np.abs(params[k]).sum() for k in sorted(params)))
