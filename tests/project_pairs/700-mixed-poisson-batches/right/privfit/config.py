from dataclasses import dataclass


@dataclass(frozen=True)
class PrivConfig:
    records: int = 600
    features: int = 5
    steps: int = 80
    fraction: float = 0.1
    clip: float = 1.0
    noise: float = 0.05
    rate: float = 0.5
    seed: int = 31
