"""Two dimensional transform of a field cut into slabs of rows."""
from contextlib import contextmanager
from functools import cached_property

import numpy as np
from mpi4py import MPI


class Layout:
    """Descriptor: data may be assigned only in the shape of the layout."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, field, owner=None):
        return self if field is None else getattr(field, self.slot)

    def __set__(self, field, value):
        value = np.ascontiguousarray(value, dtype=complex)
        if value.shape != field.shape:
            raise ValueError(f"slab {value.shape} instead of {field.shape}")
        setattr(field, self.slot, value)


class SlabField:
    data = Layout()

    def __init__(self, comm, n, function=lambda i, j: 0.0 * i * j):
        if n % comm.size:
            raise ValueError(f"{n} rows on {comm.size} ranks")
        self.comm, self.n, self.spectral = comm, n, False
        self.data = function(*np.meshgrid(self.rows, np.arange(n), indexing="ij"))

    @property
    def shape(self):
        return self.n // self.comm.size, self.n

    @cached_property
    def rows(self):
        return np.arange(self.n)[self.comm.rank * self.shape[0]:][:self.shape[0]]

    def transpose(self):
        m, size = self.shape[0], self.comm.size
        give = np.ascontiguousarray(self.data.reshape(m, size, m).transpose(1, 2, 0))
        take = np.empty_like(give)
        self.comm.Alltoall(give, take)
        self.data = take.transpose(1, 0, 2).reshape(m, self.n)

    def _both_axes(self, transform):
        for _ in range(2):
            self.data = transform(self.data, axis=1)
            self.transpose()

    def forward(self):
        self._both_axes(np.fft.fft)
        self.spectral = True

    def backward(self):
        self._both_axes(np.fft.ifft)
        self.spectral = False

    @contextmanager
    def in_spectrum(self):
        """Wave numbers of the own slab, with the field transformed meanwhile."""
        self.forward()
        try:
            k = np.fft.fftfreq(self.n, 1.0 / self.n)
            yield np.meshgrid(k[self.rows], k, indexing="ij")
        finally:
            self.backward()

    @property
    def power(self):
        total = self.comm.allreduce(float((np.abs(self.data) ** 2).sum()))
        return total / (self.n ** 2 if self.spectral else 1)

    def whole(self):
        out = np.empty((self.n, self.n), dtype=complex)
        self.comm.Allgather([self.data, MPI.DOUBLE_COMPLEX], [out, MPI.DOUBLE_COMPLEX])
        return out
