"""Collecting data of several types on the root rank."""
from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
from mpi4py import MPI


@singledispatch
def collect(data: Any, comm: MPI.Intracomm, root: int = 0) -> Any:
    raise TypeError(f"cannot collect {type(data).__name__}")


@collect.register
def _(data: list, comm: MPI.Intracomm, root: int = 0) -> list | None:
    parts = comm.gather(data, root=root)
    if parts is None:
        return None
    return [item for part in parts for item in part]


@collect.register
def _(data: np.ndarray, comm: MPI.Intracomm, root: int = 0) -> np.ndarray | None:
    counts = np.array(comm.allgather(data.size))
    if comm.rank != root:
        comm.Gatherv(data, None, root=root)
        return None
    whole = np.empty(counts.sum(), dtype=data.dtype)
    comm.Gatherv(data, (whole, counts), root=root)
    return whole
