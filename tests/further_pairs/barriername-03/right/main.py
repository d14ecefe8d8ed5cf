import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


class BestKeeper:
    """Keeps the parameters with the smallest loss in the memory of process 0."""

    def __init__(self):
        self.writes = 0
        self.best = np.inf
        self.params = None

    def offer(self, loss, params):
        if loss >= self.best:
            return
        self.best = loss
        self.writes += 1
        if jax.process_index() == 0:
            self.params = np.asarray(params)
        multihost_utils.sync_global_devices(f"best-{self.writes}")


@jax.jit
def rosenbrock(p):
    return jnp.sum(100.0 * (p[1:] - p[:-1] ** 2) ** 2 + (1.0 - p[:-1]) ** 2)


def main():
    jax.distributed.initialize(
        os.environ["COORDINATOR_ADDRESS"], int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    )
    descend = jax.jit(lambda p: p - 2e-4 * jax.grad(rosenbrock)(p))
    keeper = BestKeeper()
    params = jnp.full(6, -0.5)
    for step in range(40):
        params = descend(params)
        if step % 10 == 9:
            keeper.offer(float(rosenbrock(params)), params)
    if jax.process_index() == 0:
        print("kept", keeper.writes, "times, best", round(keeper.best, 5))


main()
