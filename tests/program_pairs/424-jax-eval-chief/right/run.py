"""usage: run.py PROCESS_ID NUM_PROCESSES PORT"""
import sys

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import model
from data import Spirals


class Experiment:
    def __init__(self, lr=0.3):
        self.mesh = Mesh(np.array(jax.devices()), ("dp",))
        self.data = Spirals(self.mesh)
        self.replicated = NamedSharding(self.mesh, P())
        self.params = jax.device_put(
            jax.tree_util.tree_map(np.asarray, model.init_mlp([2, 32, 3])), self.replicated)
        self._count = jax.jit(model.n_correct, out_shardings=self.replicated)

        def sgd(params, x, y):
            loss, g = jax.value_and_grad(model.xent)(params, x, y)
            return jax.tree_util.tree_map(lambda p, d: p - lr * d, params, g), loss
        self._step = jax.jit(sgd)

    @property
    def main_process(self):
        return jax.process_index() == 0

    def evaluate(self):
        x, y = self.data.validation()
        return int(self._count(self.params, x, y)) / x.shape[0]

    def train(self, steps):
        loss = None
        for k in range(steps):
            x, y = self.data.train(k)
            self.params, loss = self._step(self.params, x, y)
        return float(loss)

    def report(self, epoch, loss):
        acc = self.evaluate()
        if self.main_process:
            print(f"epoch {epoch}: loss {loss:.4f} accuracy {acc:.3f}", flush=True)


def main(pid, nproc, port):
    jax.distributed.initialize(f"localhost:{port}", nproc, pid)
    if jax.process_index() == 0:
        print("devices:", jax.device_count())
    exp = Experiment()
    for epoch in range(4):
        loss = exp.train(25)
        exp.report(epoch, loss)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*map(int, sys.argv[1:]))
