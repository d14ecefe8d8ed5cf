"""Names used in addition to the tables: classes, ambiguous methods, environment variables of launchers."""

from __future__ import annotations

import re

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

RANK_OF_LIBRARY = re.compile(
    r"\.(?:(?:my|mpi|world|global|local|node|proc|comm)?_?rank|(?:my_?|proc_?)id)$", re.IGNORECASE
)
"""Attributes of modules outside of the project that probably are the rank, or a function that returns it."""

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
"""Environment variables in which launchers store the number of the process."""
