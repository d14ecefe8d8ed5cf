from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DescriptorConfig:
    batches: int = 9
    per_batch: int = 12
    cutoff: float = 5.0
    width: int = 6
    seed: int = 33

    @property
    def centres(self):
        return np.linspace(1.5, self.cutoff - 0.5, self.width)
