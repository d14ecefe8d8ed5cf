from functools import cached_property

import numpy as np
from mpi4py import MPI

from .synth import latitudes, monthly_field


class BandDataset:
    """Latitude bands of a global grid, one band of rows for each rank."""

    def __init__(self, comm, nlat, nlon, months):
        self.comm = comm
        self.nlon = nlon
        self.months = months
        lats = latitudes(nlat)
        self.lats = np.array_split(lats, comm.size)[comm.rank]

    @cached_property
    def weights(self):
        return np.repeat(np.cos(np.radians(self.lats))[:, None], self.nlon, axis=1)

    @cached_property
    def total_weight(self):
        return self.comm.allreduce(float(self.weights.sum()), op=MPI.SUM)

    @cached_property
    def climatology(self):
        acc = np.zeros((12, self.lats.size, self.nlon))
        for m in range(self.months):
            acc[m % 12] += self.read(m)
        return acc / (self.months / 12)

    def read(self, month):
        return monthly_field(month, self.lats, self.nlon)

    def global_mean(self, field):
        part = float((field * self.weights).sum())
        return self.comm.allreduce(part, op=MPI.SUM) / self.total_weight

    def describe(self):
        return (f"{self.months} months, {self.nlon} longitudes, "
                f"total weight {self.total_weight:.3f}")
