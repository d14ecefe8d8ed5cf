from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layer:
    name: str
    thickness: float
    sigma_t: float
    scatter: float


class Slab:
    def __init__(self, layers):
        self.layers = list(layers)
        self.edges = np.concatenate([[0.0], np.cumsum([l.thickness for l in layers])])

    def __len__(self):
        return len(self.layers)

    def middle(self, index):
        return 0.5 * (self.edges[index] + self.edges[index + 1])


def reference_slab():
    return Slab([
        Layer("duct", 1.0, 0.3, 0.20),
        Layer("reflector", 2.0, 1.5, 0.95),
        Layer("graphite", 4.0, 2.5, 0.99),
    ])
