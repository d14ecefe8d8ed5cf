import argparse
from dataclasses import dataclass


@dataclass(frozen=True)
class ReactorConfig:
    cells: int = 120
    length: float = 1.0
    velocity: float = 0.4
    dispersion: float = 2.0e-3
    rate: float = 1.8
    inlet: float = 1.0
    tol: float = 1.0e-6
    max_iter: int = 20000
    report: int = 200

    @property
    def dx(self):
        return self.length / self.cells

    @property
    def dt(self):
        adv = self.velocity / self.dx
        dif = 2.0 * self.dispersion / self.dx**2
        return 0.9 / (adv + dif + self.rate)

    @classmethod
    def from_cli(cls, argv=None):
        ap = argparse.ArgumentParser(description="plug-flow reactor")
        ap.add_argument("--cells", type=int, default=cls.cells)
        ap.add_argument("--rate", type=float, default=cls.rate)
        ap.add_argument("--tol", type=float, default=cls.tol)
        ns = ap.parse_args(argv)
        return cls(cells=ns.cells, rate=ns.rate, tol=ns.tol)
