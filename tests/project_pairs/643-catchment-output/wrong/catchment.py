import numpy as np
from mpi4py import MPI


class Catchment:
    """Diffusive-wave spreading of rain water on a raster."""

    def __init__(self, blocks, rain=2e-3, conductivity=0.2):
        self.blocks = blocks
        self.comm = blocks.comm
        self.k = conductivity
        self.depth = np.zeros(blocks.local_shape)
        rows = np.arange(blocks.start, blocks.stop)[:, None]
        cols = np.arange(blocks.shape[1])[None, :]
        mid = blocks.shape[0] / 2
        self.rain = rain * np.exp(-((rows - mid) ** 2 + (cols - mid) ** 2) / mid)

    def advance(self):
        d = self.depth
        above, below = self.blocks.exchange_edges(d)
        padded = np.vstack([above, d, below])
        padded = np.pad(padded, ((0, 0), (1, 1)), mode="edge")
        lap = (padded[2:, 1:-1] + padded[:-2, 1:-1] + padded[1:-1, 2:]
               + padded[1:-1, :-2] - 4 * d)
        self.depth = d + self.k * lap + self.rain

    def budget(self):
        volume = self.comm.allreduce(self.depth.sum(), op=MPI.SUM)
        peak = self.comm.allreduce(self.depth.max(), op=MPI.MAX)
        return volume, peak
