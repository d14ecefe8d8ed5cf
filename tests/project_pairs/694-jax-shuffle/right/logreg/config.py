from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    samples: int = 480
    features: int = 6
    batch: int = 48
    epochs: int = 4
    rate: float = 0.1
    noise: float = 0.02
    seed: int = 7
    loader: str = "jittered"
