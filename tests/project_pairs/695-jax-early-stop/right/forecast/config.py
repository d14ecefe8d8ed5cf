from dataclasses import dataclass


@dataclass(frozen=True)
class FitConfig:
    lags: int = 8
    train: int = 480
    valid: int = 240
    batch: int = 48
    max_epochs: int = 60
    patience: int = 2
    min_delta: float = 2e-4
    rate: float = 0.05
    seed: int = 4
