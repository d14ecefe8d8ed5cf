"""Tallies.  Bins: absorption per layer, two leakages, collisions."""
from abc import ABC, abstractmethod

import numpy as np
from mpi4py import MPI


class Tally(ABC):
    def __init__(self, nlayers):
        self.nlayers = nlayers
        self.pending = np.zeros(nlayers + 3)

    def score(self, outcome, collisions):
        bin_ = outcome if outcome >= 0 else self.nlayers - 1 - outcome
        self.pending[bin_] += 1.0
        self.pending[-1] += collisions

    @abstractmethod
    def flush(self):
        """Hand the pending scores over to the accumulated ones."""

    @abstractmethod
    def result(self):
        """Accumulated bins, on every process."""


class SerialTally(Tally):
    def __init__(self, nlayers):
        super().__init__(nlayers)
        self.bins = np.zeros_like(self.pending)

    def flush(self):
        self.bins += self.pending
        self.pending[:] = 0.0

    def result(self):
        return self.bins


class SharedTally(Tally):
    """Bins live in a window on rank 0; everybody adds to them when it suits him."""

    def __init__(self, nlayers, comm):
        super().__init__(nlayers)
        self.comm = comm
        nbytes = self.pending.nbytes if comm.rank == 0 else 0
        self.win = MPI.Win.Allocate(nbytes, disp_unit=self.pending.itemsize, comm=comm)
        if comm.rank == 0:
            self.win.Lock(0)
            self._bins()[:] = 0.0
            self.win.Unlock(0)
        comm.Barrier()

    def _bins(self):
        return np.frombuffer(self.win.tomemory(), dtype=float)

    def flush(self):
        self.win.Lock(0, MPI.LOCK_SHARED)
        self.win.Accumulate(self.pending, 0, op=MPI.SUM)
        self.win.Unlock(0)
        self.pending[:] = 0.0

    def result(self):
        bins = np.empty_like(self.pending)
        if self.comm.rank == 0:
            self.win.Lock(0)
            bins[:] = self._bins()
            self.win.Unlock(0)
        self.comm.Bcast(bins, root=0)
        return bins

    def free(self):
        self.win.Free()
