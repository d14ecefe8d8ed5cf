from dataclasses import dataclass

import numpy as np


@dataclass
class MarkerData:
    genotypes: np.ndarray
    start: np.ndarray
    truth: np.ndarray


def simulate_markers(individuals, markers, rank, size, seed=2718):
    """Genotypes (0, 1, 2) of all individuals at the markers of one rank."""
    shared = np.random.default_rng(seed)
    truth = shared.dirichlet(np.full(3, 0.4), size=individuals)
    columns, start = [], []
    for m in range(rank, markers, size):
        rng = np.random.default_rng([seed, m])
        base = rng.uniform(0.2, 0.8)
        freq = np.clip(base + rng.normal(scale=0.3, size=3), 0.02, 0.98)
        columns.append(rng.binomial(2, truth @ freq))
        start.append(np.clip(base + rng.normal(scale=0.15, size=3), 0.05, 0.95))
    return MarkerData(
        np.array(columns, dtype=float).reshape(-1, individuals),
        np.array(start).reshape(-1, 3),
        truth,
    )
