from dataclasses import dataclass


@dataclass(frozen=True)
class HeatConfig:
    nx: int = 48
    ny: int = 40
    steps: int = 60
    segment_steps: int = 25
    alpha: float = 0.1
    length: float = 1.0

    @property
    def dx(self):
        return self.length / (self.nx - 1)

    @property
    def dt(self):
        return 0.2 * self.dx ** 2 / self.alpha

    def validate(self, size):
        if self.nx < 3 or self.ny < 3:
            raise ValueError("grid needs at least 3 points per direction")
        if self.nx < size:
            raise ValueError(f"{self.nx} rows cannot be split over {size} ranks")
        if self.segment_steps < 1 or self.steps < 1:
            raise ValueError("steps and segment_steps must be positive")
