"""Synthetic CCD frames, so that the pipeline can be tried without a telescope."""
import numpy as np

SHAPE = (192, 256)


def raw_frame(k):
    rng = np.random.default_rng(1000 + k)
    sky = rng.poisson(120, SHAPE).astype(np.float32)
    yy, xx = np.mgrid[:SHAPE[0], :SHAPE[1]]
    for cy, cx, flux in [(60, 80, 900), (120, 200, 400), (150, 40, 1500)]:
        sky += flux * np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / 6.0)
    hits = rng.integers(0, SHAPE[0] * SHAPE[1], 40)
    sky.ravel()[hits] += 5000
    return sky + 300 + dark_current()


def dark_current():
    rng = np.random.default_rng(7)
    return rng.gamma(2.0, 8.0, SHAPE).astype(np.float32)
