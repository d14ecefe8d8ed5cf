"""From spike counts to standard scores."""
import numpy as np


def spread_saturated(cfg, unit, rng):
    """Counts at the detector limit are replaced by draws from the upper tail."""
    full = np.flatnonzero(unit >= cfg.saturation)
    out = unit.astype(float)
    out[full] = cfg.saturation + rng.exponential(1.5, size=full.size)
    return out


def clean_counts(cfg, counts, streams):
    rng = streams.common
    rows = []
    for unit in counts:
        if unit.var() == 0:
            continue
        values = np.sqrt(spread_saturated(cfg, unit, rng))
        values += cfg.tie_noise * rng.standard_normal(values.size)
        rows.append((values - values.mean()) / values.std())
    return np.array(rows).reshape(-1, cfg.trials)
