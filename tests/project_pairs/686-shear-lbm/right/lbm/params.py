from dataclasses import dataclass


@dataclass(frozen=True)
class Params:
    nx: int
    ny: int
    tau: float
    steps: int
    every: int
    u0: float = 0.02

    @property
    def viscosity(self):
        return (self.tau - 0.5) / 3.0
