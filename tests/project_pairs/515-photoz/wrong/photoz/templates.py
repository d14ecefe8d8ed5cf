"""Toy galaxy templates seen through five bands."""
import numpy as np

BANDS = ("u", "g", "r", "i", "z")
WAVE = np.array([0.36, 0.48, 0.62, 0.76, 0.91])


class TemplateGrid:
    def __init__(self, zmax=1.2, nz=121, slopes=(0.4, 1.0, 1.8, 2.6)):
        self.z = np.linspace(0.0, zmax, nz)
        self.slopes = np.asarray(slopes)
        rest = WAVE[None, :] / (1.0 + self.z[:, None])
        step = 1.0 / (1.0 + np.exp(-(rest - 0.40) / 0.03))
        base = -2.5 * np.log10(0.15 + step)
        tilt = -2.5 * self.slopes[:, None, None] * np.log10(rest / 0.5)[None]
        self.mags = base[None] + tilt

    def mock(self, n, rng, noise):
        k = rng.integers(0, self.slopes.size, n)
        j = rng.integers(4, self.z.size - 4, n)
        amp = rng.uniform(18.0, 21.0, n)
        clean = self.mags[k, j] + amp[:, None]
        return clean + rng.normal(0.0, noise, clean.shape), self.z[j], (k, j, amp)
