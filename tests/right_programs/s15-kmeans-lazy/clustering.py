"""Immutable state of a k-means run; the summaries are computed when first read."""
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from mpi4py import MPI


@dataclass(frozen=True, eq=False)
class Clustering:
    comm: MPI.Comm = field(repr=False)
    points: np.ndarray = field(repr=False)
    centres: np.ndarray
    round: int = 0

    @cached_property
    def distances(self):
        return ((self.points[:, None, :] - self.centres[None]) ** 2).sum(axis=2)

    @cached_property
    def labels(self):
        return self.distances.argmin(axis=1)

    @cached_property
    def inertia(self):
        nearest = self.distances.min(axis=1, initial=np.inf)
        return self.comm.allreduce(float(nearest.sum()))

    @cached_property
    def sizes(self):
        mine = np.bincount(self.labels, minlength=len(self.centres))
        total = np.empty_like(mine)
        self.comm.Allreduce(mine, total)
        return total

    @cached_property
    def sums(self):
        mine = np.zeros_like(self.centres)
        np.add.at(mine, self.labels, self.points)
        self.comm.Allreduce(MPI.IN_PLACE, mine)
        return mine

    @cached_property
    def loner(self):
        """The point farthest from its centre, ties broken by coordinates."""
        mine = (-1.0, ())
        if len(self.points):
            d = self.distances.min(axis=1)
            mine = max(zip(d.tolist(), map(tuple, self.points.tolist())))
        return np.array(self.comm.allreduce(mine, op=MPI.MAX)[1])

    def improved(self):
        centres = self.centres.copy()
        filled = self.sizes > 0
        centres[filled] = self.sums[filled] / self.sizes[filled, None]
        for k in np.flatnonzero(~filled):
            centres[k] = self.loner
        return replace(self, centres=centres, round=self.round + 1)

    def __format__(self, spec):
        return f"round {self.round} inertia {self.inertia:{spec}} sizes {self.sizes.tolist()}"
