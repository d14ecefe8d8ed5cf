"""Trend and period measurement."""
import numpy as np

from .errors import TargetError, quarantine

MIN_POINTS = 30


@quarantine
def quadratic(curve):
    """Coefficients of a parabola through a light curve."""
    if curve.time.size < MIN_POINTS:
        raise TargetError(f"star {curve.star}: {curve.time.size} points")
    return np.polyfit(curve.time, curve.flux, 2)


def best_period(curve, trend, periods):
    flux = curve.flux - np.polyval(trend, curve.time)
    phase = 2 * np.pi * curve.time[None, :] / periods[:, None]
    power = (flux * np.cos(phase)).sum(1) ** 2 + (flux * np.sin(phase)).sum(1) ** 2
    return float(periods[np.argmax(power)])
