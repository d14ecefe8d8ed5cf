from dataclasses import dataclass


@dataclass(frozen=True)
class RenderConfig:
    size: int
    degree: int
    max_iter: int
    seed: int
    extent: float = 1.5
    tolerance: float = 1e-8
