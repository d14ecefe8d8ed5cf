"""Cosmic ray cleaning, flat fielding and the zero point of a band."""
import logging

import numpy as np
from mpi4py import MPI
from scipy import ndimage

from .diskcache import shared_product
from .frames import FrameSource, lamp_frames


class Calibrator:
    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.log = logging.getLogger("fieldcal")

    @shared_product("flat")
    def master_flat(self, band):
        stack = np.stack(list(lamp_frames(self.cfg, band)))
        flat = np.median(stack, axis=0)
        return flat / flat.mean()

    def clean(self, frame):
        """Replace cosmic ray hits; long exposures need more passes."""
        data = frame.data.copy()
        passes = 1 + int(frame.exposure / self.cfg.seconds_per_pass / 15)
        for _ in range(passes):
            smooth = ndimage.median_filter(data, size=5)
            resid = data - smooth
            limit = self.cfg.clip_sigma * 1.4826 * np.median(np.abs(resid))
            hit = np.abs(resid) > limit
            data[hit] = smooth[hit]
        return data

    def zero_point(self, level):
        """Mean sky level over all frames of the survey night."""
        total = np.array([np.sum(level), len(level)], dtype=float)
        self.comm.Allreduce(MPI.IN_PLACE, total)
        return total[0] / total[1]

    def run_band(self, band):
        frames = [self.clean(f)
                  for f in FrameSource(self.cfg, band,
                                       self.comm.rank, self.comm.size)]
        flat = self.master_flat(band)
        flattened = [data / flat for data in frames]
        level = [np.mean(data) for data in flattened]
        scatter = [np.std(data) for data in flattened]
        return self.zero_point(level), self.zero_point(scatter)
