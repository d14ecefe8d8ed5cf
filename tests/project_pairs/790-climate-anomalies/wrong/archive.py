"""Yearly temperature files of a model run (generated on first use)."""
import numpy as np

NLAT, NLON = 18, 36


def days_in(year):
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 366 if leap else 365


def load_year(year):
    """Daily fields (day, lat, lon) in kelvin."""
    rng = np.random.default_rng(year)
    day = np.arange(days_in(year))[:, None, None]
    lat = np.linspace(-85, 85, NLAT)[None, :, None]
    base = 300 - 45 * np.sin(np.radians(lat)) ** 2
    season = -12 * np.sin(np.radians(lat)) * np.cos(2 * np.pi * day / days_in(year))
    trend = 0.03 * (year - 1990)
    return base + season + trend + rng.normal(0, 0.8, (day.size, NLAT, NLON))
