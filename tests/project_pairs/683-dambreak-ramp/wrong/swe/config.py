from dataclasses import dataclass, fields


@dataclass
class Config:
    cells: int = 240
    length: float = 4.0
    depth_left: float = 1.0
    depth_right: float = 0.25
    gravity: float = 9.81
    t_end: float = 0.6
    cfl: float = 0.45
    integrator: str = "ramped"
    ramp_steps: int = 20
    history: str = ""

    @classmethod
    def from_namespace(cls, ns):
        names = {f.name for f in fields(cls)}
        return cls(**{k: v for k, v in vars(ns).items() if k in names})

    def initial_mass(self):
        dx = self.length / self.cells
        left = (self.cells + 1) // 2
        return dx * (left * self.depth_left + (self.cells - left) * self.depth_right)
