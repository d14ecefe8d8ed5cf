"""Tiles on disk, one npz each."""
import numpy as np


class TileStore:
    def __init__(self, root):
        self.root = root

    def path(self, row, col):
        return self.root / f"ndvi_r{row:02d}_c{col:02d}.npz"

    def save(self, row, col, index):
        np.savez_compressed(self.path(row, col), index=index, row=row, col=col)

    def __iter__(self):
        for path in sorted(self.root.glob("ndvi_r*_c*.npz")):
            with np.load(path) as data:
                yield int(data["row"]), int(data["col"]), data["index"]
