"""Split a packed archive over the ranks and decode the pieces."""
from __future__ import annotations

import zlib
from functools import partial
from typing import Optional

import numpy as np
from mpi4py import MPI

from retry import RetryPolicy
from scratch import Scratch


def pack(values: np.ndarray) -> bytes:
    return zlib.compress(values.astype("<f8").tobytes())


class SliceLoader:
    def __init__(self, comm: MPI.Comm, scratch: Scratch, policy: RetryPolicy) -> None:
        self.comm = comm
        self.scratch = scratch
        self.policy = policy

    def _deal(self, archive: Optional[list[bytes]]) -> bytes:
        return self.comm.scatter(archive, root=0)

    def _decode(self, packed: bytes) -> np.ndarray:
        with self.scratch.locked() as folder:
            spill = folder / "slice.raw"
            spill.write_bytes(zlib.decompress(packed))
            return np.fromfile(spill, dtype="<f8")

    def _open(self, packed: bytes) -> np.ndarray:
        return self._decode(packed)

    def load(self, archive: Optional[list[bytes]]) -> np.ndarray:
        packed = self._deal(archive)
        operation = partial(self._open, packed)
        return self.policy.call(operation, recover=self.scratch.break_lock)
