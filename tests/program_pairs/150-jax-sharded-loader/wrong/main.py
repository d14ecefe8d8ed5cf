"""Softmax classifier, batches assembled from the shards of all processes."""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from data import ShardedDataset, synthetic

CONFIG = {"examples": 95, "batch": 16, "epochs": 8, "lr": 0.3, "classes": 4}


class Trainer:
    def __init__(self, mesh, pixels, classes):
        self.rows = NamedSharding(mesh, P("data"))
        self.everywhere = NamedSharding(mesh, P())
        zeros = {"w": np.zeros((pixels, classes), np.float32), "b": np.zeros(classes, np.float32)}
        self.params = {k: jax.make_array_from_process_local_data(self.everywhere, v) for k, v in zeros.items()}
        self._step = jax.jit(self.step, out_shardings=self.everywhere)

    @staticmethod
    def loss(params, x, y):
        logits = jax.nn.log_softmax(x @ params["w"] + params["b"])
        return -jnp.take_along_axis(logits, y[:, None], axis=1).mean()

    def step(self, params, x, y):
        value, grads = jax.value_and_grad(self.loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - CONFIG["lr"] * g, params, grads), value

    def epoch(self, batches):
        values = []
        for x, y in batches:
            x = jax.make_array_from_process_local_data(self.rows, x)
            y = jax.make_array_from_process_local_data(self.rows, y)
            self.params, value = self._step(self.params, x, y)
            values.append(float(value))
        return float(np.mean(values))


def main():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )
    mesh = Mesh(np.array(jax.devices()), ("data",))
    images, labels = synthetic(CONFIG["examples"])
    shard = ShardedDataset(images, labels, jax.process_index(), jax.process_count())
    if shard.steps(CONFIG["batch"]) == 0:
        raise SystemExit("too few examples for this number of processes")
    trainer = Trainer(mesh, images.shape[1], CONFIG["classes"])
    for epoch in range(CONFIG["epochs"]):
        value = trainer.epoch(shard.batches(CONFIG["batch"], epoch))
        if jax.process_index() == 0:
            print(f"epoch {epoch} loss {value:.4f}")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
