"""Programs of one process that start parallel ones: by a launcher, by a batch system, or by MPI."""

from __future__ import annotations

import re

_LAUNCHER = re.compile(r"[\"'](?:mpiexec|mpirun|srun|sbatch|qsub|bsub|jsrun|aprun)\b")
_STARTS = re.compile(r"\bsubprocess\b|\bos\.(?:system|popen|exec\w+|spawn\w+)\b")
_BATCH = re.compile(r"[\"']#(?:SBATCH|PBS|BSUB)\b")  # a text: such comments are the header of a parallel program
_COMMUNICATES = re.compile(r"^[^#\n]*\b(?:MPI\b|mpi4|comm\b|jax\b)", re.MULTILINE)


_SPAWNS = re.compile(r"\.Spawn(?:_multiple)?\(")
_ASKS_FOR_RANK = re.compile(r"\b(?:if|elif|while|match)\b[^#\n]*(?<![a-z])rank|Get_parent\(", re.IGNORECASE)


def starts_workers(text: str) -> bool:
    """Whether a file starts the other processes by `Spawn`, and tests neither a rank nor its parent: one runs it."""
    return bool(_SPAWNS.search(text)) and not _ASKS_FOR_RANK.search(text)


def starts_jobs(text: str) -> bool:
    """Whether a file starts parallel programs, or writes their batch scripts, and does not communicate by itself."""
    starts = (_LAUNCHER.search(text) and _STARTS.search(text)) or _BATCH.search(text)
    return bool(starts) and not _COMMUNICATES.search(text)
