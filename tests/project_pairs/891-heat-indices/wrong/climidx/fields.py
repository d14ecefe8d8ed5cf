"""A synthetic stand-in for the daily reanalysis reader."""
import numpy as np


def read_band(cfg, rows):
    """Daily mean temperature, shape (days, rows, lon), in degrees Celsius."""
    days = 365 * cfg.years
    lat = cfg.latitudes[rows]
    t = np.arange(days)
    season = -np.cos(2 * np.pi * (t - 15) / 365.0)
    out = np.empty((days, lat.size, cfg.nlon))
    for i, phi in enumerate(lat):
        # one stream per row, so that the record does not depend on the layout
        rng = np.random.default_rng([cfg.seed, rows.start + i])
        noise = rng.normal(scale=2.5, size=(days, cfg.nlon))
        for d in range(1, days):
            noise[d] = 0.7 * noise[d - 1] + 0.714 * noise[d]
        base = 27.0 - 0.006 * phi**2
        out[:, i] = base + 0.2 * phi * season[:, None] + noise
    return out


def area_weights(cfg, rows):
    w = np.cos(np.deg2rad(cfg.latitudes[rows]))
    return np.repeat(w[:, None], cfg.nlon, axis=1)
