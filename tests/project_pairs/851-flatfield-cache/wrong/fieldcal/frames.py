"""Science and lamp frames."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Frame:
    index: int
    band: str
    exposure: float
    data: np.ndarray


def vignette(shape, band):
    """Illumination pattern of the instrument, mean one."""
    y, x = np.indices(shape)
    r2 = ((y / shape[0] - 0.5) ** 2 + (x / shape[1] - 0.5) ** 2)
    pattern = 1.0 - {"g": 0.5, "r": 0.4, "i": 0.3}[band] * r2
    return pattern / pattern.mean()


class FrameSource:
    """Iterates over the frames of one band that belong to this rank."""

    def __init__(self, cfg, band, rank, size):
        self.cfg = cfg
        self.band = band
        per_rank = -(-cfg.n_frames // size)
        self.indices = range(rank * per_rank,
                             min(cfg.n_frames, (rank + 1) * per_rank))

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        for index in self.indices:
            rng = np.random.default_rng([index, ord(self.band)])
            sky = 100.0 + rng.normal(0.0, 2.0, self.cfg.shape)
            data = sky * vignette(self.cfg.shape, self.band)
            hits = rng.integers(0, data.size, 40)
            data.flat[hits] += rng.uniform(200.0, 900.0, hits.size)
            yield Frame(index, self.band, self.cfg.exposure(index),
                        data * self.cfg.gain[self.band])


def lamp_frames(cfg, band):
    """Dome lamp exposures used for the master flat."""
    rng = np.random.default_rng([7, ord(band)])
    for _ in range(cfg.n_lamp):
        noise = rng.normal(1.0, 0.01, cfg.shape)
        yield 2.0e4 * vignette(cfg.shape, band) * noise
