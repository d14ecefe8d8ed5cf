from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tile:
    x0: int
    y0: int
    nx: int
    ny: int

    @property
    def window(self):
        return slice(self.x0, self.x0 + self.nx), slice(self.y0, self.y0 + self.ny)


def cut(n, rng, smallest=4, largest=40):
    edges = [0]
    while edges[-1] < n:
        edges.append(min(n, edges[-1] + int(rng.integers(smallest, largest))))
    return list(zip(edges[:-1], edges[1:]))


def make_tiles(cfg):
    """Irregular tiling of the image, largest tiles first."""
    rng = np.random.default_rng(cfg.seed)
    tiles = [Tile(x0, y0, x1 - x0, y1 - y0)
             for x0, x1 in cut(cfg.size, rng) for y0, y1 in cut(cfg.size, rng)]
    return sorted(tiles, key=lambda t: (-t.nx * t.ny, t.x0, t.y0))
