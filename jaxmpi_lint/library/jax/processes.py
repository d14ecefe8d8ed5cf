"""Names that indicate a program of several JAX processes, and the calls that connect the processes.

Facts from "Multi-process programming" and ``jax.distributed`` and ``jax.experimental.multihost_utils`` in JAX's
documentation.
"""

from __future__ import annotations

INITIALIZE = "jax.distributed.initialize"
"""Connects the processes; it must run before the backend starts."""

INITIALIZATION_STATE = ("initialized", "global_state.client", "global_state.coordinator_address", "_backends")
"""Names by which programs test whether it has run."""

MULTI_PROCESS_WORDS = ("jax.distributed", "multihost_utils", "process_index", "process_count")
"""Words of which a module of a multi-process program contains at least one."""

MULTI_PROCESS_MODULES = (
    "mpi4py",
    "mpi4jax",
    "jax.distributed",
    "jax.experimental.multihost_utils",
    "orbax.checkpoint.multihost",
)
"""Modules that only programs of several processes import."""

MULTI_PROCESS_CALLS = frozenset(
    {
        "make_array_from_process_local_data",
        "make_array_from_single_device_arrays",
        "process_allgather",
        "process_count",
        "process_index",
        "sync_global_devices",
    }
)
"""Functions, by their last name, that only programs of several processes call."""
