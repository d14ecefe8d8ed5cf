import jax.numpy as jnp
import numpy as np


def initial(cfg):
    rng = np.random.default_rng([cfg.seed, 1])
    return {"w": (rng.normal(size=(cfg.inputs, cfg.hidden))).astype(np.float32),
            "b": np.zeros(cfg.hidden, np.float32),
            "v": (rng.normal(size=cfg.hidden) * 0.3).astype(np.float32)}


def predict(params, x):
    return jnp.tanh(x @ params["w"] + params["b"]) @ params["v"]
