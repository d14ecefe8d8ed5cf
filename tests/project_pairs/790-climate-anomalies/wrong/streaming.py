"""Streaming statistics that can be combined over ranks."""
from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI


class Streaming(ABC):
    def __init__(self, shape):
        self.shape = shape

    @abstractmethod
    def add(self, fields):
        """Take in a (time, lat, lon) block."""

    @abstractmethod
    def combine(self, comm):
        """Result over the blocks of all ranks, on all ranks."""


class Mean(Streaming):
    def __init__(self, shape):
        super().__init__(shape)
        self.count = 0
        self.value = np.zeros(shape)

    def add(self, fields):
        n = len(fields)
        self.count += n
        self.value += (fields.mean(axis=0) - self.value) * (n / self.count)

    def combine(self, comm):
        total = np.empty(self.shape)
        comm.Allreduce(self.value, total, op=MPI.SUM)
        return total / comm.size


class Extremes(Streaming):
    def __init__(self, shape):
        super().__init__(shape)
        self.low = np.full(shape, np.inf)
        self.high = np.full(shape, -np.inf)

    def add(self, fields):
        np.minimum(self.low, fields.min(axis=0), out=self.low)
        np.maximum(self.high, fields.max(axis=0), out=self.high)

    def combine(self, comm):
        low, high = np.empty(self.shape), np.empty(self.shape)
        comm.Allreduce(self.low, low, op=MPI.MIN)
        comm.Allreduce(self.high, high, op=MPI.MAX)
        return high - low
