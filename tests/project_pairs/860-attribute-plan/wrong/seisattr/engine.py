"""Computes a plan on a section."""
from dataclasses import dataclass

import numpy as np

from .plan import make_plan


@dataclass
class AttributeStats:
    mean: float
    spread: float


def run_attributes(section, requested):
    """Normalised attributes of this rank and their statistics."""
    known, stats = {}, {}
    for attr in make_plan(requested):
        values = attr.compute(section, known)
        mean = section.global_mean(values)
        spread = np.sqrt(section.global_mean((values - mean) ** 2))
        known[attr.name] = values
        stats[attr.name] = AttributeStats(mean, float(spread))
    normalised = {name: (known[name] - stats[name].mean) / stats[name].spread
                  for name in requested}
    return normalised, stats
