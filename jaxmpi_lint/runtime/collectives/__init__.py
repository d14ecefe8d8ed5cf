"""MPI operations on JAX arrays, inside and outside of compiled functions.

Signatures and results are those of mpi4jax 0.9. Importing this package imports jax and mpi4py, and compiles a small
extension with a C++ compiler, once for each version of jaxlib. Raises Unavailable if there is no compiler, or if JAX
lacks a name that is needed.
"""

from __future__ import annotations

from jaxmpi_lint.runtime.collectives import moved
from jaxmpi_lint.runtime.collectives.building import Unavailable

with moved.told():
    from jaxmpi_lint.runtime.collectives import batching, derivatives  # noqa: F401  # they register rules with JAX
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
