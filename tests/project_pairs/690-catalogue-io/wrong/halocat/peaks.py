import numpy as np

from .catalogue import PEAK_DTYPE


def find_peaks(field, cfg, slabs):
    """Cells above the threshold that are higher than their eight neighbours."""
    g = slabs.with_ghosts(field)
    higher = field > cfg.threshold
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            if dx or dy:
                shifted = np.roll(g[1 + dx:g.shape[0] - 1 + dx], -dy, axis=1)
                higher &= field > shifted
    ix, iy = np.nonzero(higher)
    rows = np.empty(len(ix), dtype=PEAK_DTYPE)
    rows["ix"], rows["iy"] = ix + slabs.lo, iy
    rows["height"] = field[ix, iy]
    return rows
