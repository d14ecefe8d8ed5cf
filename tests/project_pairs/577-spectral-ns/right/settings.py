from dataclasses import dataclass


@dataclass
class RunSettings:
    """2D vorticity equation; rows of the grid are dealt to the ranks."""
    n: int = 48
    viscosity: float = 0.02
    dt: float = 0.02
    steps: int = 40
    every: int = 10
    precision: str = "single"
    seed: int = 8

    @property
    def real(self):
        return {"single": "f4", "double": "f8"}[self.precision]

    @property
    def complex(self):
        return {"single": "c8", "double": "c16"}[self.precision]
