"""Synthetic gauge records; each rank owns some days of the season."""
from dataclasses import dataclass

import numpy as np

RIVERS = {
    "Aller": (42.0, 0.6), "Bode": (9.5, 0.9), "Elz": (4.2, 1.1), "Fulda": (58.0, 0.5),
    "Ilm": (6.1, 0.8), "Jagst": (17.0, 0.7), "Lahn": (49.0, 0.6), "Nidda": (11.0, 0.9),
    "Saale": (115.0, 0.4), "Wupper": (15.0, 1.0),
}


@dataclass(frozen=True)
class Record:
    day: int
    gauge: str
    discharge: float


def season(days, seed):
    """All records of the season, in the order of the logbook."""
    rng = np.random.default_rng(seed)
    for day in range(days):
        wet = 1.0 + 0.8 * np.sin(2 * np.pi * day / days)
        for gauge, (mean, spread) in RIVERS.items():
            yield Record(day, gauge, float(mean * wet * rng.lognormal(0.0, 0.3 * spread)))


def own_days(records, rank, size):
    return [r for r in records if r.day % size == rank]
