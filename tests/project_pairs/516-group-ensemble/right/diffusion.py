import numpy as np
from mpi4py import MPI


class RandomMediumDiffusion:
    """1-D groundwater head with log-normal conductivity, split over a team."""

    def __init__(self, comm, points, sigma, seed):
        self.comm = comm
        base, extra = divmod(points, comm.size)
        self.n = base + (comm.rank < extra)
        self.first = comm.rank * base + min(comm.rank, extra)
        rng = np.random.default_rng(seed)
        white = rng.standard_normal(points + 8)
        smooth = np.convolve(white, np.ones(9) / 3.0, mode="valid")
        self.k = np.exp(sigma * smooth[self.first:self.first + self.n])
        self.points = points

    def effective_conductivity(self):
        resistance = self.comm.allreduce(float((1.0 / self.k).sum()), op=MPI.SUM)
        return self.points / resistance

    def head(self, left, right):
        local = 1.0 / self.k
        before = self.comm.exscan(float(local.sum()), op=MPI.SUM)
        if self.comm.rank == 0:
            before = 0.0
        total = self.comm.allreduce(float(local.sum()), op=MPI.SUM)
        return left + (right - left) * (before + np.cumsum(local)) / total
