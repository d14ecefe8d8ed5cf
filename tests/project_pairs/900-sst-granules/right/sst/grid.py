from dataclasses import dataclass

import numpy as np

from .swath import ROW_FIELDS


@dataclass
class Grid:
    cells: np.ndarray

    @property
    def filled(self):
        return int(np.isfinite(self.cells).sum())

    @property
    def mean(self):
        lat = np.deg2rad(np.linspace(-90, 90, self.cells.shape[0] + 1))
        w = np.diff(np.sin(lat))[:, None] * np.isfinite(self.cells)
        return float((w * np.nan_to_num(self.cells)).sum() / w.sum())

    @property
    def coldest(self):
        return float(np.nanmin(self.cells))

    def save(self, path):
        np.savez_compressed(path, sst=self.cells)


def bin_to_grid(table, cell):
    ny, nx = int(180 / cell), int(360 / cell)
    iy = np.clip(((table[:, ROW_FIELDS.index("lat")] + 90) / cell).astype(int), 0, ny - 1)
    ix = np.clip((table[:, ROW_FIELDS.index("lon")] / cell).astype(int), 0, nx - 1)
    flat = iy * nx + ix
    number = np.bincount(flat, minlength=ny * nx)
    total = np.bincount(flat, weights=table[:, ROW_FIELDS.index("sst")], minlength=ny * nx)
    mean = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    return Grid(mean.reshape(ny, nx))
