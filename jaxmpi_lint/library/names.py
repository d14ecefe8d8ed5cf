"""Words by which people name ranks and sizes, and names that look like them but are not.

The defaults behind the setting ``rank-names``; collected from public code (the idioms of facades:
``multihost.process_index()``, ``mpi.rank``, ``am_master()``).
"""

from __future__ import annotations

COMMUNICATOR_CLASSES = ("Comm", "Intracomm", "Intercomm", "Topocomm", "Cartcomm", "Graphcomm", "Distgraphcomm")
"""The classes of mpi4py whose objects are communicators."""

MPI4PY_BASES: dict[str, tuple[str, ...]] = {
    "Intracomm": ("Comm",),
    "Intercomm": ("Comm",),
    "Topocomm": ("Intracomm", "Comm"),
    "Cartcomm": ("Topocomm", "Intracomm", "Comm"),
    "Graphcomm": ("Topocomm", "Intracomm", "Comm"),
    "Distgraphcomm": ("Topocomm", "Intracomm", "Comm"),
    "Prequest": ("Request",),
    "Grequest": ("Request",),
}
"""The base classes of mpi4py's classes, nearest first."""

AMBIGUOUS_METHODS = frozenset(
    {
        "Abort", "Accept", "Agree", "Attach_buffer", "Barrier", "Call_errhandler", "Clone", "Compare", "Connect",
        "Create", "Create_errhandler", "Create_keyval", "Delete_attr", "Detach_buffer", "Disconnect", "Dup",
        "Flush_buffer", "Free", "Free_keyval", "Gather", "Get_attr", "Get_dim", "Get_dims", "Get_errhandler",
        "Get_info", "Get_name", "Get_neighbors", "Get_parent", "Graph_map", "Iflush_buffer", "Join", "Merge", "Probe",
        "Recv", "Reduce", "Revoke", "Scan", "Scatter", "Send", "Set_attr", "Set_errhandler", "Set_info", "Set_name",
        "Shift", "Shrink", "Spawn", "Split", "Sub",
    }
)  # fmt: skip
"""Methods of communicators that objects of other libraries have too: their use proves nothing."""

RANK_NAMES = frozenset(
    {
        "comm_rank", "get_process_index", "get_rank", "global_rank", "globalrank", "host_id", "host_index", "iproc",
        "irank", "jax_process_index", "local_rank", "mpi_comm_rank", "mpi_id", "mpi_rank", "mpirank", "my_id", "my_pe",
        "my_rank", "myid", "mype", "myrank", "node_rank", "pe_rank", "proc_id", "proc_index", "proc_rank", "process_id",
        "process_idx", "process_index", "process_rank", "procid", "rank", "rank_id", "rankid", "world_rank",
        "worldrank",
    }
)  # fmt: skip
"""Names of values (or of functions that return them) that are the number of this process."""

PRIMARY_NAMES = frozenset(
    {
        "am_i_root", "am_master", "am_root", "i_am_master", "im_master", "is_chief", "is_coordinator", "is_host0",
        "is_host_0", "is_host_zero", "is_io_proc", "is_io_rank", "is_lead_host", "is_leader", "is_main_process",
        "is_master", "is_master_process", "is_mpi_root", "is_primary", "is_primary_host", "is_primary_process",
        "is_process_zero", "is_rank0", "is_rank_0", "is_rank_zero", "is_root", "is_root_process",
        "is_world_process_zero", "is_zeroth_process", "ismaster", "isroot", "master_process", "on_root", "onroot",
        "root_process",
    }
)  # fmt: skip
"""Names of truth values that hold on one process only."""

SIZE_NAMES = frozenset(
    {
        "comm_size", "get_size", "get_world_size", "host_count", "mpi_size", "mpisize", "n_hosts", "n_nodes",
        "n_processes", "n_procs", "n_ranks", "nhosts", "nnodes", "npes", "nproc", "nprocs", "nranks", "ntasks",
        "num_hosts", "num_processes", "num_procs", "num_ranks", "process_count", "world_size", "worldsize",
    }
)  # fmt: skip
"""Names of the number of processes: the same everywhere."""

FALSE_RANKS = frozenset(
    {
        "crank", "frank", "full_rank", "init_rank", "kruskal_rank", "lora_rank", "low_rank", "matrix_rank",
        "matrix_ranks", "max_rank", "page_rank", "pagerank", "percentile_rank", "rank_dim", "rank_fn", "rank_loss",
        "rank_pattern", "rank_ratio", "rank_score", "rankdata", "ranking", "ranks", "row_rank", "target_rank",
        "tensor_rank", "tt_rank",
    }
)  # fmt: skip
"""Names that contain ``rank`` and have nothing to do with processes."""

FOREIGN_RECEIVERS = frozenset(
    {
        "asyncio", "cupy", "dask", "distributed", "functools", "horovod", "hvd", "ipykernel", "itertools", "jax", "jnp",
        "jupyter_client", "lax", "multiprocessing", "nccl", "np", "numpy", "onnx", "operator", "paddle", "pandas",
        "queue", "ray", "re", "scipy", "serial", "socket", "ssl", "subprocess", "tensorflow", "tf", "torch", "zmq",
    }
)  # fmt: skip
"""Modules whose objects are no communicators although their methods have the same names (``np.add.reduce``)."""

FOREIGN_RANKS = frozenset(
    {
        "jax.numpy", "jnp", "networkx", "np", "numpy", "pandas", "scipy", "tensorflow", "tf", "torch",
    }
)  # fmt: skip
"""Modules whose ``rank`` is the rank of an array, a tensor or a list."""

RANK_VARIABLES = frozenset(
    {
        "ALPS_APP_PE", "CLOUD_TPU_TASK_ID", "FLUX_TASK_LOCAL_ID", "FLUX_TASK_RANK", "GROUP_RANK", "JAX_PROCESS_ID",
        "JOB_COMPLETION_INDEX", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_RANK", "LOCAL_RANK", "MPI_LOCALRANKID",
        "MPI_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_RANK", "NODE_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_NODE_RANK", "OMPI_COMM_WORLD_RANK", "PALS_LOCAL_RANKID", "PALS_RANKID", "PMIX_RANK",
        "PMI_LOCAL_RANK", "PMI_RANK", "PROCESS_ID", "RANK", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_PROCID",
        "TPU_WORKER_ID",
    }
)  # fmt: skip
"""Environment variables in which launchers put the number of the process."""

INLINED: dict[str, tuple[str, int]] = {
    "jax.tree.map": ("f", 0),
    "jax.tree.map_with_path": ("f", 0),
    "jax.tree.reduce": ("function", 0),
    "jax.tree_util.tree_map": ("f", 0),
    "jax.tree_util.tree_map_with_path": ("f", 0),
    "jax.tree_util.tree_reduce": ("function", 0),
    "jax.tree_util.tree_multimap": ("f", 0),
    "jax.tree_map": ("f", 0),
    "jax.tree_multimap": ("f", 0),
    "functools.reduce": ("function", 0),
    "builtins.map": ("function", 0),
    "builtins.filter": ("function", 0),
}
"""Functions that call the function given to them at once, in Python: its events happen where they are called."""
