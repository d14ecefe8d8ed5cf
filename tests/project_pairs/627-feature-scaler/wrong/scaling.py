"""Streaming standardisation over distributed shards."""
import numpy as np
from mpi4py import MPI


class DistributedScaler:
    """Like sklearn's StandardScaler, but partial_fit is local and sync() merges."""

    def __init__(self, n_features, comm=MPI.COMM_WORLD):
        self.comm = comm
        self.n = 0
        self.total = np.zeros(n_features)
        self.total_sq = np.zeros(n_features)
        self.mean_ = None
        self.scale_ = None

    def partial_fit(self, chunk):
        self.n += chunk.shape[0]
        self.total += chunk.sum(axis=0)
        self.total_sq += np.square(chunk).sum(axis=0)
        return self

    def sync(self):
        total = np.empty_like(self.total)
        total_sq = np.empty_like(self.total_sq)
        self.comm.Allreduce(self.total, total, op=MPI.SUM)
        self.comm.Allreduce(self.total_sq, total_sq, op=MPI.SUM)
        self.mean_ = total / self.n
        variance = np.maximum(total_sq / self.n - self.mean_**2, 0.0)
        self.scale_ = np.sqrt(variance)
        self.scale_[self.scale_ == 0.0] = 1.0
        return self

    def transform(self, chunk):
        if self.mean_ is None:
            raise RuntimeError("call sync() first")
        return (chunk - self.mean_) / self.scale_
