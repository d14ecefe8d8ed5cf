import argparse
from dataclasses import dataclass, fields

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import model
from runs import Run


@dataclass
class Config:
    coordinator: str = "localhost:12355"
    num_processes: int = 1
    process_id: int = 0
    runs: str = "runs"
    epochs: int = 6
    steps: int = 20
    local_batch: int = 32
    hidden: int = 16
    lr: float = 0.05
    seed: int = 0

    @classmethod
    def from_cli(cls):
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            parser.add_argument("--" + f.name.replace("_", "-"), type=type(f.default), default=f.default)
        return cls(**vars(parser.parse_args()))


def draw(rng, n):
    x = rng.uniform(-2, 2, size=(n, 3)).astype(np.float32)
    return x, np.sin(x[:, 0]) * x[:, 1]


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.mesh = Mesh(np.array(jax.devices()), ("batch",))
        self.sharded = NamedSharding(self.mesh, P("batch"))
        self.replicated = NamedSharding(self.mesh, P())
        self.rng = np.random.default_rng([cfg.seed, 1 + jax.process_index()])
        self.params = self._global(model.init(3, cfg.hidden, cfg.seed), self.replicated)
        self.val = self._global(draw(self.rng, 64), self.sharded)

    @staticmethod
    def _global(tree, sharding):
        return jax.tree.map(lambda a: jax.make_array_from_process_local_data(sharding, a), tree)

    def train_epoch(self):
        for _ in range(self.cfg.steps):
            x, y = self._global(draw(self.rng, self.cfg.local_batch), self.sharded)
            self.params, loss = model.sgd_step(self.params, x, y, self.cfg.lr)
        return float(loss)

    def fit(self, run):
        best = np.inf
        for epoch in range(self.cfg.epochs):
            train = self.train_epoch()
            val = float(model.evaluate(self.params, *self.val))
            if val < best:
                best = val
                run.save_best(jax.device_get(self.params))
            if jax.process_index() == 0:
                print(f"epoch {epoch}  train {train:.4f}  val {val:.4f}", flush=True)
        return best

    def test(self, run, n=256):
        params = run.load_best()
        x, y = draw(np.random.default_rng([self.cfg.seed, 1000 + jax.process_index()]), n)
        local = np.float32(model.mse(params, x, y))
        return float(multihost_utils.process_allgather(local).mean())


def main():
    cfg = Config.from_cli()
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(cfg.coordinator, cfg.num_processes, cfg.process_id)

    experiment = Experiment(cfg)
    run = Run.start(cfg.runs, cfg)
    best = experiment.fit(run)
    test = experiment.test(run)
    if jax.process_index() == 0:
        print(f"best val {best:.4f}  test {test:.4f}")


if __name__ == "__main__":
    main()
