"""From spaxels to the table of line parameters."""
import numpy as np

from .source import SpaxelSource
from .stages import fit_line, reject_noisy, subtract_continuum

COLUMNS = ("spaxel", "flux", "centre", "width")


def measure(cluster, cfg):
    """Table of all accepted spaxels on the first rank, None elsewhere."""
    source = SpaxelSource(cfg, *cluster.bounds(cfg.n_spaxels))
    spaxels = reject_noisy(subtract_continuum(source), cfg.min_snr)
    rows = np.array(list(fit_line(spaxels))).reshape(-1, len(COLUMNS))
    return cluster.gather_rows(rows, cluster.share(cfg.n_spaxels))
