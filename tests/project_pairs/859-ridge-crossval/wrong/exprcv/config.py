"""Settings of an experiment."""
import argparse
from dataclasses import dataclass, field, fields

import numpy as np


def fresh_seed():
    """Seed from the entropy pool of the system."""
    return int(np.random.SeedSequence().generate_state(1)[0])


@dataclass
class CvConfig:
    n_samples: int = 150
    n_genes: int = 40
    n_folds: int = 6
    alphas: tuple = (0.1, 1.0, 10.0, 100.0)
    seed: int = field(default_factory=fresh_seed)

    @classmethod
    def from_args(cls, argv=None):
        """Command line options named as the fields."""
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            if f.type is int or f.type == "int":
                parser.add_argument("--" + f.name.replace("_", "-"), type=int)
        given = vars(parser.parse_args(argv))
        return cls(**{k: v for k, v in given.items() if v is not None})
