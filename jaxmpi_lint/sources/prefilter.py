"""Prefilter: files that may communicate, determined from their bytes, so that the others are never parsed."""

from __future__ import annotations

import re

from jaxmpi_lint.settings.settings import Settings

# Each is sufficient alone; a literal search is many times faster than one pattern for all of them.
_LITERALS = tuple(
    literal.encode()
    for literal in (
        *(
            "mpi4py",
            "mpi4jax",
            "jaxmpi_lint.runtime",
            "petsc4py",
            "dolfinx",
            "ParallelContext",
            "MPI.",
            "COMM_WORLD",
            "COMM_SELF",
            ".Get_rank(",
            ".Get_size(",
            ".rank == 0",
        ),
        *("process_index", "process_count", "process_id", "process_allgather", "broadcast_one_to_all"),
        *("multihost", "sync_global_devices", "jax.distributed", "distributed.initialize", "host_local_array"),
        *("make_array_from_", "is_fully_addressable", "addressable_", "host_id()", "host_count()", "local_devices("),
        *("local_device_count(", "shard_map", "axis_index", "ppermute", "all_to_all(", "all_gather(", "psum_scatter"),
        *("_multiprocess", "CheckpointManager", "Checkpointer(", "cpu_collectives"),
        *("SLURM_PROCID", "PMI_RANK", "PMIX_RANK", "jaxmpi-lint:", "\0"),
    )
)
# Several of them can be ruled out together.
_PARTS = tuple(
    part.encode()
    for part in (
        "mpi",
        "COMM_",
        ".Get_",
        "process_",
        "host",
        "addressable",
        "distributed",
        "local_dev",
        "all_",
        "Check",
    )
)
_GROUPS = tuple((part, tuple(literal for literal in _LITERALS if part in literal)) for part in _PARTS)
_ALONE = tuple(literal for literal in _LITERALS if not any(part in literal for part in _PARTS))
_METHODS = (
    "I?[bB]cast|I?(?:[rR]educe(?:_scatter)?|[aA]ll(?:reduce|gatherv?|toall[vw]?))|I?(?:[gG]ather|[sS]catter)v?"
    "|(?:[eE]x)?[sS]can|I?[bB]arrier|[iI]?[sS]?[sS]end(?:recv)?(?:_init)?|[bBrR]send|[iI]?[rR]ecv(?:_init)?"
    "|[iI]?m?[pP]robe|Sendrecv_replace|Split(?:_type)?|Dup|Clone|Create\\w*|Free|Abort|Spawn|Disconnect|Is_inter"
    "|Get_\\w+|rank|size|py2f"
)
# Every pattern starts with a literal, for which the regular expression engine has a fast search.
_PATTERNS = (
    rf"comm(?!on|and|ent|it|od|ut)\w*(?:\(\))?\.(?:{_METHODS})\b",
    r"\.(?:I?bcast|I?Bcast|I?[aA]ll(?:reduce|gatherv?|toall[vw]?)|[iI](?:recv|send)|[sS]endrecv|Reduce_scatter)\(",
    r"p(?<!\wp)(?:map|sum|mean|max|min|shuffle)\b",
    r"environ[^\n]{0,60}[\"'](?:JAX_|XLA_|MPI4JAX_|CUDA_VISIBLE|NCCL_|PYTHONHASHSEED)",
    r"putenv[^\n]{0,20}[\"'](?:JAX_|XLA_|MPI4JAX_|CUDA_VISIBLE)",
    r"noqa:[^\n]*JM\d",
)
_UNORDERED = (r"in (?:frozen)?(?:set\(|\{)", r"= (?:(?:frozen)?set\(|\{[^:{}\n]+[,}]\s*$)", r"t\((?:frozen)?set\(")


class Prefilter:
    """Searches for the communication interface of the known libraries and for the user's own ``words``."""

    def __init__(self, settings: Settings) -> None:
        words = {
            *settings.rank_names,
            *settings.comm_names,
            *(wrapper.name.rpartition(".")[2] for wrapper in settings.wrappers),
            *(name.rpartition(".")[2] for name in settings.transforms),
        }
        self.words = sorted(word for word in words if word)
        own = [rf"{re.escape(word)}(?<!\w{re.escape(word)})(?!\w)" for word in self.words]
        self._patterns = [re.compile(pattern.encode()) for pattern in (*_PATTERNS, *own)]
        self._unordered = [re.compile(pattern.encode(), re.MULTILINE) for pattern in _UNORDERED]

    def file_may_communicate(self, data: bytes) -> bool:
        """Whether a file may contain communication, comments to this tool, or bytes that are not text."""
        if any(literal in data for literal in _ALONE):
            return True
        if any(literal in data for part, literals in _GROUPS if part in data for literal in literals):
            return True
        if any(pattern.search(data) for pattern in self._patterns):
            return True
        return b"jit" in data and any(pattern.search(data) for pattern in self._unordered)


class Everything(Prefilter):
    """A prefilter that accepts every file: for tests of later stages."""

    def file_may_communicate(self, data: bytes) -> bool:
        """Always true."""
        return True
