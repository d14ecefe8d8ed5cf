from typing import Optional, Tuple

import numpy as np
from mpi4py import MPI


class PickCollector:
    """Variable-length results of all ranks in one array on the root."""

    def __init__(self, comm: MPI.Intracomm, root: int = 0) -> None:
        self.comm = comm
        self.root = root

    def _counts(self, n: int) -> Optional[np.ndarray]:
        if self.comm.rank != self.root:
            return None
        return np.full(self.comm.size, n, dtype=np.int32)

    def gather(self, values: np.ndarray) -> Optional[np.ndarray]:
        values = np.ascontiguousarray(values, dtype=np.float64)
        counts = self._counts(len(values))
        recv = None
        out = None
        if counts is not None:
            out = np.empty(counts.sum())
            displs = np.concatenate(([0], np.cumsum(counts)[:-1]))
            recv = [out, counts, displs, MPI.DOUBLE]
        self.comm.Gatherv(values, recv, root=self.root)
        return out
