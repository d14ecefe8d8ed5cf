from dataclasses import dataclass, field
from typing import Tuple


@dataclass(frozen=True)
class Layer:
    thickness: float
    sigma_t: float
    absorption: float


@dataclass
class RunConfig:
    histories: int = 21000
    batch_size: int = 1000
    seed: int = 20240611
    tally_bins: int = 12
    layers: Tuple[Layer, ...] = field(default_factory=lambda: (
        Layer(1.0, 0.8, 0.30),
        Layer(0.5, 2.5, 0.55),
        Layer(1.5, 0.6, 0.20),
    ))

    @property
    def n_batches(self):
        return -(-self.histories // self.batch_size)

    @property
    def depth(self):
        return sum(l.thickness for l in self.layers)
