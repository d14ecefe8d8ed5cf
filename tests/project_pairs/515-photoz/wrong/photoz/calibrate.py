import logging

import numpy as np

from .templates import BANDS

log = logging.getLogger("photoz.calibrate")


class ZeroPoints:
    """Additive magnitude offsets of the bands, fitted on a training sample."""

    def __init__(self, comm):
        self.comm = comm
        self.values = np.zeros(len(BANDS))

    def fit(self, grid, sample, truth):
        k, j, amp = truth
        residual = sample - (grid.mags[k, j] + amp[:, None])
        offsets = np.median(residual, axis=0)
        spread = 1.4826 * np.median(np.abs(residual - offsets), axis=0)
        good = np.abs(residual - offsets) < 3.0 * np.maximum(spread, 1e-4)
        return np.where(good, residual, 0.0).sum(axis=0) / good.sum(axis=0)

    def train(self, grid, loader):
        if self.comm.rank == 0:
            sample, truth = loader()
            self.values = self.fit(grid, sample, truth)
            log.info("zero points " + " ".join(
                f"{b}={v:+.3f}" for b, v in zip(BANDS, self.values)))
        self.sync()

    def sync(self):
        self.comm.bcast(self.values, root=0)

    def apply(self, mags):
        return mags - self.values
