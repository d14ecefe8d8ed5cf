from dataclasses import dataclass

import numpy as np

SEGMENTS = ("card", "transfer", "wallet", "cheque")
SHARES = (0.6, 0.25, 0.1475, 0.0025)


@dataclass
class Shard:
    x: np.ndarray
    fraud: np.ndarray
    segment: np.ndarray

    def __len__(self):
        return len(self.fraud)

    def only(self, name):
        pick = self.segment == SEGMENTS.index(name)
        return Shard(self.x[pick], self.fraud[pick], self.segment[pick])


def load(cfg, process):
    """The transactions of one process."""
    truth = np.random.default_rng(cfg["seed"]).normal(size=cfg["features"])
    rng = np.random.default_rng((cfg["seed"], process))
    x = rng.normal(size=(cfg["rows"], cfg["features"])).astype(np.float32)
    segment = rng.choice(len(SEGMENTS), p=SHARES, size=cfg["rows"])
    odds = x @ truth - 1.0
    fraud = (rng.random(cfg["rows"]) < 1.0 / (1.0 + np.exp(-odds))).astype(np.float32)
    return Shard(x, fraud, segment)
