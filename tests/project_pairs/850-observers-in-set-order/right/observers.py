"""Diagnostics of a distributed sample."""
from __future__ import annotations

import numpy as np
from mpi4py import MPI

from subject import observer


@observer("total")
def total(comm: MPI.Intracomm, data: np.ndarray) -> float:
    return comm.allreduce(float(data.sum()), op=MPI.SUM)


@observer("count")
def count(comm: MPI.Intracomm, data: np.ndarray) -> float:
    return comm.allreduce(float(data.size), op=MPI.SUM)


@observer("square")
def square(comm: MPI.Intracomm, data: np.ndarray) -> float:
    return comm.allreduce(float(np.vdot(data, data)), op=MPI.SUM)


@observer("largest")
def largest(comm: MPI.Intracomm, data: np.ndarray) -> float:
    return comm.allreduce(float(data.max()), op=MPI.MAX)


@observer("smallest")
def smallest(comm: MPI.Intracomm, data: np.ndarray) -> float:
    return comm.allreduce(float(data.min()), op=MPI.MIN)
