"""Bands of the k-points of a pool."""
from dataclasses import dataclass

import numpy as np
from mpi4py import MPI

from .kmesh import of_pool


@dataclass
class KResult:
    index: int
    weight: float
    bands: np.ndarray


class BandSolver:
    """Ranks of a pool build H(k) together, its first rank diagonalises."""

    def __init__(self, comms, model):
        self.comms = comms
        self.model = model

    def _hamiltonian(self, k):
        pool = self.comms.pool
        part = self.model.rows(k, pool.rank, pool.size)
        whole = np.empty_like(part) if pool.rank == 0 else None
        pool.Reduce(part, whole, op=MPI.SUM, root=0)
        return whole

    def results(self, points):
        """Yields the result of each k-point where it is known."""
        for point in of_pool(points, self.comms.pool_id, self.comms.n_pools):
            h = self._hamiltonian(point.k)
            if self.comms.is_pool_root:
                bands = np.linalg.eigvalsh(0.5 * (h + h.conj().T))
                yield KResult(point.index, point.weight, bands)
