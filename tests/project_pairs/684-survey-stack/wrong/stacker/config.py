from dataclasses import dataclass


@dataclass(frozen=True)
class StackConfig:
    bins: int = 8
    clip: float = 4.0
    rmax: float = 1.0
    min_objects: int = 5
