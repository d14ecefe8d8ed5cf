"""Data-parallel polynomial regression on several processes."""
import dataclasses
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

from loader import GlobalLoader

jax.config.update("jax_cpu_collectives_implementation", "gloo")


@dataclasses.dataclass(frozen=True)
class Config:
    degree: int = 5
    batch: int = 32
    steps: int = 200
    rate: float = 0.2


def features(x, degree):
    return jnp.stack([x**k for k in range(degree + 1)], axis=1)


def make_step(cfg):
    def loss(w, x, y):
        return jnp.mean((features(x, cfg.degree) @ w - y) ** 2)

    @jax.jit
    def step(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return w - cfg.rate * g, value

    return step


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    cfg = Config()
    loader = GlobalLoader(cfg.batch)
    step = make_step(cfg)
    w = loader.replicate(np.zeros(cfg.degree + 1, np.float32))
    for _ in range(cfg.steps):
        x, y = loader.next_batch()
        w, value = step(w, x, y)

    mine = np.asarray(w.addressable_data(0))
    everyone = np.asarray(multihost_utils.process_allgather(mine)).reshape(-1, mine.size)
    spread = float(np.ptp(everyone, axis=0).max())
    if jax.process_index() == 0:
        print("weights", np.round(mine, 3), "loss %.5f" % float(value))
        print("largest difference between the processes %.2e" % spread)
    assert spread == 0.0


if __name__ == "__main__":
    main()
