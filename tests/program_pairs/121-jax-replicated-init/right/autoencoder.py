"""Tiny linear autoencoder, replicated parameters and a batch sharded over processes."""
import functools
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

BATCH, DIM, CODE = 60, 10, 3


class Trainer:
    def __init__(self, seed):
        self.mesh = Mesh(np.array(jax.devices()), ("data",))
        self.replicated = NamedSharding(self.mesh, P())
        self.by_row = NamedSharding(self.mesh, P("data"))
        self.key = jax.random.key(seed)
        self.params = self._replicate(self._init())

    def _init(self):
        enc, dec = jax.random.split(self.key)
        return {"enc": 0.3 * jax.random.normal(enc, (DIM, CODE)),
                "dec": 0.3 * jax.random.normal(dec, (CODE, DIM))}

    def _replicate(self, tree):
        place = functools.partial(jax.make_array_from_process_local_data, self.replicated)
        return jax.tree.map(lambda a: place(np.asarray(a)), tree)

    def batch(self, step):
        rng = np.random.default_rng(step)
        basis = np.random.default_rng(77).standard_normal((CODE, DIM))
        full = (rng.standard_normal((BATCH, CODE)) @ basis).astype(np.float32)
        mine = np.split(full, jax.process_count())[jax.process_index()]
        return jax.make_array_from_process_local_data(self.by_row, mine)

    @staticmethod
    @jax.jit
    def update(params, x):
        def loss(p):
            return jnp.mean((x @ p["enc"] @ p["dec"] - x) ** 2)
        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), value

    def fit(self, steps):
        for step in range(steps):
            self.params, value = self.update(self.params, self.batch(step))
        return float(value)


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    if BATCH % jax.process_count():
        raise SystemExit("batch size must be divisible by the number of processes")
    trainer = Trainer(seed=3)
    value = trainer.fit(25)
    local = np.asarray(trainer.params["enc"].addressable_data(0))
    copies = multihost_utils.process_allgather(local).reshape(jax.process_count(), DIM, CODE)
    if jax.process_index() == 0:
        print(f"loss {value:.6f}, copies differ by {np.ptp(copies, axis=0).max():.2e}")


if __name__ == "__main__":
    main()
