"""Programs of one process that start parallel ones: by a launcher, or by a batch system."""

from __future__ import annotations

import re

_LAUNCHER = re.compile(r"[\"'](?:mpiexec|mpirun|srun|sbatch|qsub|bsub|jsrun|aprun)\b")
_STARTS = re.compile(r"\bsubprocess\b|\bos\.(?:system|popen|exec\w+|spawn\w+)\b")
_BATCH = re.compile(r"[\"']#(?:SBATCH|PBS|BSUB)\b")  # a text: such comments are the header of a parallel program
_COMMUNICATES = re.compile(r"^[^#\n]*\b(?:MPI\b|mpi4|comm\b|jax\b)", re.MULTILINE)


def starts_jobs(text: str) -> bool:
    """Whether a file starts parallel programs, or writes their batch scripts, and does not communicate by itself."""
    starts = (_LAUNCHER.search(text) and _STARTS.search(text)) or _BATCH.search(text)
    return bool(starts) and not _COMMUNICATES.search(text)
