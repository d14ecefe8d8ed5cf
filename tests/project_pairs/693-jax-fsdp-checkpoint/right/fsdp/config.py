from dataclasses import dataclass


@dataclass(frozen=True)
class TrainConfig:
    hidden: int = 48
    batch: int = 48
    steps_per_epoch: int = 10
    epochs: int = 6
    save_every: int = 2
    rate: float = 0.02
    seed: int = 0
