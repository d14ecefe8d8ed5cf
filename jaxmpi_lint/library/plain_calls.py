"""Functions and methods that programs name only to call them."""

from __future__ import annotations

WITHOUT_ARGUMENTS = frozenset(
    {
        "mpi4py.MPI.Init", "mpi4py.MPI.Finalize", "mpi4py.MPI.Is_initialized", "mpi4py.MPI.Is_finalized",
        "mpi4py.MPI.Is_thread_main", "mpi4py.MPI.Query_thread", "mpi4py.MPI.Wtime", "jax.process_index",
        "jax.process_count", "jax.device_count", "jax.local_device_count", "jax.local_devices", "jax.devices",
        "jax.distributed.initialize", "jax.distributed.shutdown", "jax.distributed.is_initialized",
    }
)  # fmt: skip
"""Functions that are called without arguments, or may be."""

PICKLED = frozenset(
    {
        "allgather", "allreduce", "alltoall", "barrier", "bcast", "bsend", "exscan", "gather", "ibsend", "iprobe",
        "irecv", "isend", "issend", "probe", "recv", "reduce", "scan", "scatter", "send", "sendrecv", "ssend",
    }
)  # fmt: skip
"""Lower-case methods of communicators of mpi4py; all upper-case attributes are methods."""
