import jax
import jax.numpy as jnp
import numpy as np


def init(cfg):
    rng = np.random.default_rng(cfg.seed)
    h = cfg.hidden

    def dense(m, n):
        return {"w": (rng.normal(size=(n, m)) / np.sqrt(m)).astype(np.float32),
                "b": np.zeros(n, np.float32)}
    return {"in": dense(2, h), "mid": dense(h, h), "out": dense(h, 1)}


def apply(params, x):
    for name in ("in", "mid"):
        x = jnp.tanh(x @ params[name]["w"].T + params[name]["b"])
    return x @ params["out"]["w"].T + params["out"]["b"]


def loss(params, x, y):
    return jnp.mean((apply(params, x) - y) ** 2)
