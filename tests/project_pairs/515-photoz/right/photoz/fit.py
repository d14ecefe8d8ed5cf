import numpy as np


class PhotoZ:
    def __init__(self, grid, zeropoints, sigma=0.03, chunk=64):
        self.grid = grid
        self.zeropoints = zeropoints
        self.sigma = sigma
        self.chunk = chunk

    def estimate(self, mags):
        out = np.empty(len(mags))
        for a in range(0, len(mags), self.chunk):
            out[a:a + self.chunk] = self._block(self.zeropoints.apply(mags[a:a + self.chunk]))
        return out

    def _block(self, mags):
        model = self.grid.mags.reshape(-1, mags.shape[1])
        diff = mags[:, None, :] - model[None, :, :]
        diff = diff - diff.mean(axis=2, keepdims=True)
        chi2 = (diff ** 2).sum(axis=2) / self.sigma ** 2
        best = chi2.argmin(axis=1) % self.grid.z.size
        return self.grid.z[best]


def quality(z, truth):
    dz = (z - truth) / (1.0 + truth)
    return np.array([dz.sum(), (np.abs(dz) > 0.05).sum(), dz.size], dtype=float)
