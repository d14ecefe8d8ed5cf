"""Stand-in for a reader of monthly surface temperature."""
import numpy as np


def latitudes(nlat):
    step = 180.0 / nlat
    return -90.0 + step * (np.arange(nlat) + 0.5)


def monthly_field(month, lats, nlon):
    season = 12.0 * np.cos(2.0 * np.pi * (month - 6.5) / 12.0)
    lon = np.linspace(0.0, 2.0 * np.pi, nlon, endpoint=False)
    base = 28.0 - 45.0 * np.sin(np.radians(lats)) ** 2
    tilt = season * np.sin(np.radians(lats))
    wave = 1.5 * np.cos(3.0 * lon + 0.3 * month)
    return (base + tilt)[:, None] + wave[None, :] + 0.02 * (month // 12)
