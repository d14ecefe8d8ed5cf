"""Options of the tracer model."""
import argparse
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    nx: int
    ny: int
    nz: int
    steps: int
    dt: float
    names: tuple = ("heat", "salt", "dye")


def parse(argv=None):
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--nx", type=int, default=24)
    p.add_argument("--ny", type=int, default=64)
    p.add_argument("--nz", type=int, default=64)
    p.add_argument("--steps", type=int, default=12)
    p.add_argument("--dt", type=float, default=0.1)
    return Options(**vars(p.parse_args(argv)))
