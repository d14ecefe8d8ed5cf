"""MPI operations on JAX arrays, inside and outside of compiled functions.

The signatures and results are those of mpi4jax 0.9. Importing this compiles a small extension once for each jaxlib,
which takes a C++ compiler, and imports jax and mpi4py. Unavailable if there is no compiler, or a JAX that keeps its
names elsewhere.
"""

from __future__ import annotations

from jaxmpi_lint.runtime.collectives import moved
from jaxmpi_lint.runtime.collectives.building import Unavailable

with moved.told():
    from jaxmpi_lint.runtime.collectives import batching, derivatives  # noqa: F401  # they register rules
    from jaxmpi_lint.runtime.collectives.operations import (
        allgather,
        allreduce,
        alltoall,
        barrier,
        bcast,
        gather,
        has_cuda_support,
        has_sycl_support,
        recv,
        reduce,
        scan,
        scatter,
        send,
        sendrecv,
    )

__all__ = [
    "Unavailable",
    "allgather",
    "allreduce",
    "alltoall",
    "barrier",
    "bcast",
    "gather",
    "has_cuda_support",
    "has_sycl_support",
    "recv",
    "reduce",
    "scan",
    "scatter",
    "send",
    "sendrecv",
]
