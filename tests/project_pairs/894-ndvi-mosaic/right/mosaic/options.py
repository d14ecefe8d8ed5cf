from dataclasses import dataclass
from pathlib import Path


@dataclass
class Options:
    rows: int
    cols: int
    tile: int
    store: Path
    seed: int = 404

    @property
    def tiles(self):
        return [(r, c) for r in range(self.rows) for c in range(self.cols)]

    def share(self, rank, size):
        """Contiguous share of the tile list; the last ranks take the rest."""
        n = len(self.tiles)
        base, extra = divmod(n, size)
        sizes = [base + (1 if i >= size - extra else 0) for i in range(size)]
        first = sum(sizes[:rank])
        return self.tiles[first : first + sizes[rank]]
