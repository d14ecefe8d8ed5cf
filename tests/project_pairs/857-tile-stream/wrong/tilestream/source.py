"""Reads the raw tiles and corrects them."""
import numpy as np
from scipy import ndimage


class Camera:
    """Stands for the camera archive; counts of one tile."""

    def __init__(self, layout, seed=3):
        self.layout = layout
        self.seed = seed

    def read(self, index):
        n = self.layout.tile
        rng = np.random.default_rng([self.seed, index])
        counts = rng.poisson(80.0 + 10.0 * index, (n, n))
        return counts.astype(np.uint16)


class TileSource:
    """Iterable of (index, tile), dark corrected, smoothed and scaled.

    The float images are large, all steps work in place on one array.
    """

    def __init__(self, camera, indices, dark=5.0, sigma=1.5):
        self.camera = camera
        self.indices = indices
        self.dark = dark
        self.sigma = sigma
        n = camera.layout.tile
        self._work = np.empty((n, n))

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        for index in self.indices:
            np.subtract(self.camera.read(index), self.dark, out=self._work)
            ndimage.gaussian_filter(self._work, self.sigma, mode="nearest",
                                    output=self._work)
            self._work /= 100.0
            yield index, self._work
