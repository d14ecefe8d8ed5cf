import logging

import numpy as np
from mpi4py import MPI

from .tiling import StripTiling

log = logging.getLogger("survey.match")


class CrossMatcher:
    def __init__(self, comm, settings):
        self.comm = comm
        self.radius = settings["radius_deg"]
        self.mag_limit = settings["mag_limit"]
        self.tiling = StripTiling(*settings["footprint"], comm.size)
        self.offset = np.zeros(2)

    def strip(self, catalog, pad=0.0):
        return catalog.in_strip(*self.tiling.padded(self.comm.rank, pad))

    def nearest(self, ref, obs):
        """Index of the nearest observed source for each reference source, -1 if none."""
        if not len(ref) or not len(obs):
            return np.full(len(ref), -1)
        dx = (ref.ra[:, None] - obs.ra[None, :]) * np.cos(np.radians(ref.dec))[:, None]
        dy = ref.dec[:, None] - obs.dec[None, :]
        d2 = dx * dx + dy * dy
        idx = d2.argmin(axis=1)
        return np.where(d2[np.arange(len(ref)), idx] < self.radius ** 2, idx, -1)

    def fit_offset(self, ref, obs, idx):
        """Mean astrometric offset of the matched sources over the whole footprint."""
        ok = idx >= 0
        local = np.array([
            (obs.ra[idx[ok]] - ref.ra[ok]).sum(),
            (obs.dec[idx[ok]] - ref.dec[ok]).sum(),
            ok.sum(),
        ])
        total = np.empty(3)
        self.comm.Allreduce(local, total, op=MPI.SUM)
        if total[2] == 0:
            return np.zeros(2)
        return total[:2] / total[2]

    def process(self, reference, observed):
        ref = self.strip(reference).brighter_than(self.mag_limit)
        obs = self.strip(observed, pad=self.radius)
        if not len(ref):
            log.info("rank %d: no reference sources in strip", self.comm.rank)
            return np.empty((0, 3))
        idx = self.nearest(ref, obs)
        self.offset = self.fit_offset(ref, obs, idx)
        obs.ra = obs.ra - self.offset[0]
        obs.dec = obs.dec - self.offset[1]
        idx = self.nearest(ref, obs)
        return self.pairs(ref, obs, idx)

    @staticmethod
    def pairs(ref, obs, idx):
        ok = idx >= 0
        return np.column_stack([ref.ra[ok], ref.dec[ok], obs.mag[idx[ok]] - ref.mag[ok]])
