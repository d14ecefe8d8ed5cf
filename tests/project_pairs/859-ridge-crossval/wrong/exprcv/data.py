"""Synthetic study: a few causal genes and batch noise."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Study:
    expression: np.ndarray
    phenotype: np.ndarray

    def __len__(self):
        return len(self.phenotype)


def load_study(cfg):
    rng = np.random.default_rng(2024)
    x = rng.normal(size=(cfg.n_samples, cfg.n_genes))
    weight = np.zeros(cfg.n_genes)
    weight[:8] = rng.normal(0.0, 1.0, 8)
    y = x @ weight + rng.normal(0.0, 0.8, cfg.n_samples)
    return Study(x, y + 5.0)
