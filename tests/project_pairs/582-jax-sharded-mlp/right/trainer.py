import logging
from dataclasses import dataclass

import numpy as np

import model
from cluster import Layout, chief
from store import SnapshotStore

log = logging.getLogger("trainer")


@dataclass
class TrainConfig:
    features: int = 12
    hidden: int = 32
    rows: int = 256
    steps: int = 60
    rate: float = 0.05
    save_every: int = 20
    log_every: int = 20
    folder: str = "snapshots"
    seed: int = 9


class Trainer:
    def __init__(self, config):
        self.config = config
        self.layout = Layout()
        self.params = model.init(self.layout, config.features, config.hidden, config.seed)
        self.store = SnapshotStore(self.layout, config.folder)
        rng = np.random.default_rng(config.seed + 1)
        x = rng.normal(size=(config.rows, config.features)).astype("f4")
        y = np.sin(x[:, 0]) + 0.5 * x[:, 1]
        self.x = self.layout.place(x)
        self.y = self.layout.place(y)

    def _after_step(self, step, value):
        last = step == self.config.steps
        if chief() and (step % self.config.log_every == 0 or last):
            log.info("step %d loss %.5f", step, value)
        if step % self.config.save_every == 0 or last:
            self.store.save(step, self.params, {"loss": value})

    def fit(self):
        value = None
        for step in range(1, self.config.steps + 1):
            self.params, value = model.train_step(self.params, self.x, self.y, self.config.rate)
            self._after_step(step, float(value))
        return float(value)
