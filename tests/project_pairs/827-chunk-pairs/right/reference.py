"""A running reference spectrum built from one spectrum of each rank."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator

import numpy as np
from mpi4py import MPI

from catalog import Spectrum


@dataclass
class Reference:
    round: int
    flux: np.ndarray
    members: int


class ReferenceStream:
    def __init__(self, comm: MPI.Comm, spectra: list[Spectrum], bins: int) -> None:
        self.comm = comm
        self.spectra = spectra
        self.bins = bins
        self.rounds = comm.allreduce(len(spectra), op=MPI.MAX)

    def _own(self, index: int) -> np.ndarray:
        if index < len(self.spectra):
            return self.spectra[index].flux
        return np.zeros(self.bins)

    def __iter__(self) -> Iterator[Reference]:
        flux = np.zeros(self.bins)
        members = 0
        for index in range(self.rounds):
            summed = np.empty(self.bins)
            self.comm.Allreduce(self._own(index), summed, op=MPI.SUM)
            flux = flux + summed
            members += self.comm.allreduce(int(index < len(self.spectra)))
            yield Reference(index, flux / members, members)
