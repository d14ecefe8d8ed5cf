from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True)
class Settings:
    width: int = 32
    rate: float = 0.05
    steps: int = 20
    seed: int = 11

    def data_seed(self, process: int) -> int:
        return self.seed + 1000 * process

    def as_tree(self):
        return {k: np.float32(v) for k, v in asdict(self).items()}
