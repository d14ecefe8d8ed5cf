import os
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TowerConfig:
    users: int = 60
    items: int = 40
    dim: int = 6
    batch: int = 64
    steps: int = 40
    lr: float = 1.0
    seed: int | None = None

    @classmethod
    def from_env(cls):
        cfg = cls()
        if "TOWERS_STEPS" in os.environ:
            cfg = replace(cfg, steps=int(os.environ["TOWERS_STEPS"]))
        if "TOWERS_SEED" in os.environ:
            cfg = replace(cfg, seed=int(os.environ["TOWERS_SEED"]))
        return cfg
