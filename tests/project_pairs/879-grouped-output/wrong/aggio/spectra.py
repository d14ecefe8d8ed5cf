import numpy as np


class SpectrumTable:
    """Synthetic emission lines; one row per star, one column per channel."""

    def __init__(self, nstars, nchannels):
        self.nstars = nstars
        self.nchannels = nchannels

    def rows(self, first, count):
        star = np.arange(first, first + count)[:, None]
        channel = np.arange(self.nchannels)[None, :]
        centre = self.nchannels * (0.3 + 0.4 * star / self.nstars)
        return (1 + star) * np.exp(-0.5 * ((channel - centre) / 2.5) ** 2)
