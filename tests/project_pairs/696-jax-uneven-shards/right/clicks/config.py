from dataclasses import dataclass


@dataclass(frozen=True)
class ClickConfig:
    users: int = 40
    items: int = 60
    rank: int = 4
    local_batch: int = 16
    epochs: int = 3
    rate: float = 0.5
    seed: int = 12
