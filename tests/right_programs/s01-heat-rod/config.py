"""Settings of the rod experiment."""
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class RodConfig:
    points: int = 48
    max_steps: int = 1500
    alpha: float = 0.25
    check_every: int = 25
    tolerance: float = 2e-4
    probes: tuple[int, ...] = field(default_factory=tuple, compare=False)

    def __post_init__(self):
        if not 0.0 < self.alpha <= 0.5:
            raise ValueError(f"unstable alpha {self.alpha}")
        if not self.probes:
            object.__setattr__(self, "probes", (0, self.points // 2, self.points - 1))
