import logging
import os
import time

import numpy as np
from scipy.ndimage import median_filter

from frames import SHAPE, dark_current, raw_frame

log = logging.getLogger("pipeline")


class Stage:
    """One step of the pipeline; works on its share of `items`."""

    name = "stage"

    def __init__(self, comm, workdir):
        self.comm = comm
        self.workdir = workdir

    def file(self, k):
        return os.path.join(self.workdir, f"cal_{k:03d}.npy")

    def __call__(self, *args):
        t0 = time.perf_counter()
        out = self.run(*args)
        log.info("%s took %.2f s", self.name, time.perf_counter() - t0)
        return out


class Calibrate(Stage):
    name = "calibrate"

    def run(self, nframes):
        dark = dark_current()
        mine = range(self.comm.rank, nframes, self.comm.size)
        for k in mine:
            img = raw_frame(k) - dark - 300
            smooth = median_filter(img, size=5)
            spikes = img - smooth > 2000
            img[spikes] = smooth[spikes]
            np.save(self.file(k), img)
        return len(mine)


class Combine(Stage):
    """Median over all frames; every rank owns a band of detector rows."""

    name = "combine"

    def run(self, nframes):
        edges = np.linspace(0, SHAPE[0], self.comm.size + 1).astype(int)
        lo, hi = edges[self.comm.rank], edges[self.comm.rank + 1]
        cube = np.stack([np.load(self.file(k), mmap_mode="r")[lo:hi] for k in range(nframes)])
        bands = self.comm.gather(np.median(cube, axis=0), root=0)
        return np.vstack(bands) if self.comm.rank == 0 else None
