from dataclasses import dataclass


@dataclass(frozen=True)
class EmulatorConfig:
    points: int = 250
    iterations: int = 120
    inputs: int = 3
    hidden: int = 12
    rate: float = 0.05
    momentum: float = 0.8
    seed: int = 9
