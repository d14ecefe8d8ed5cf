import os
from dataclasses import dataclass, fields


@dataclass
class Config:
    features: int = 12
    base_rows: int = 600
    region_step: int = 170
    batch_size: int = 64
    epochs: int = 6
    lr: float = 0.4
    l2: float = 1e-4
    seed: int = 7


def from_env(prefix="CHURN_"):
    values = {}
    for f in fields(Config):
        raw = os.environ.get(prefix + f.name.upper())
        if raw is not None:
            values[f.name] = type(f.default)(raw)
    return Config(**values)
