"""Where the tiles lie in the mosaic."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Layout:
    rows: int = 4
    cols: int = 6
    tile: int = 192

    @property
    def count(self):
        return self.rows * self.cols

    @property
    def shape(self):
        return self.rows * self.tile, self.cols * self.tile

    def window(self, index):
        row, col = divmod(index, self.cols)
        return (slice(row * self.tile, (row + 1) * self.tile),
                slice(col * self.tile, (col + 1) * self.tile))

    def of_rank(self, rank, size):
        return range(rank, self.count, size)
