from dataclasses import dataclass

import numpy as np


@dataclass
class Grid:
    edges: np.ndarray

    @classmethod
    def stretched(cls, cells: int, ratio: float) -> "Grid":
        widths = ratio ** np.arange(cells)
        edges = np.concatenate([[0.0], np.cumsum(widths)])
        return cls(edges / edges[-1])

    def widths(self) -> np.ndarray:
        return np.diff(self.edges)
