"""Run parameters of the two-dimensional Lennard-Jones fluid."""
import argparse
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Settings:
    box: float = 18.0
    per_side: int = 14
    cutoff: float = 2.5
    skin: float = 0.4
    dt: float = 0.004
    steps: int = 300
    t_cold: float = 0.2
    t_hot: float = 1.5
    seed: int = 77

    @property
    def reach(self):
        return self.cutoff + self.skin


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    for f in fields(Settings):
        parser.add_argument("--" + f.name.replace("_", "-"), type=f.type, default=f.default)
    return Settings(**vars(parser.parse_args(argv)))
