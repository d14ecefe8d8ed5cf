"""Programs with messages that no rank receives, which arrive before or after a rank has called MPI_Finalize."""

from __future__ import annotations

from .harness import Result

PROGRAM = """
import os
import time
import mpi4py
mpi4py.rc.finalize = False
import numpy as np
from mpi4py import MPI

comm, kept = MPI.COMM_WORLD, []
rank = comm.rank
comm.Barrier()
if rank == 0:
    {before}
    for tag in range(3):
        for dest in range(1, comm.size):
            kept.append(comm.Isend(np.zeros({numbers}), dest=dest, tag=tag))
{after}
try:
    MPI.Finalize()
    how = "finalized"
except MPI.Exception:
    how = "failed"
os.write(1, b"%s %d\\n" % (how.encode(), rank))  # at once, so that lines of ranks do not mix
"""
LATE = PROGRAM.format(before="time.sleep(1)", numbers=4, after="")
LATE_AND_LARGE = PROGRAM.format(before="time.sleep(1)", numbers=200_000, after="")
EARLY = PROGRAM.format(before="", numbers=4, after="comm.Barrier()")


def complaints_about_late(result: Result, ranks: int) -> list[str]:
    """What is wrong with a job whose messages have arrived late: it ends as without the sanitizer, and is reported."""
    ended = [number for number in range(ranks) if f"finalized {number}\n" in result.out]
    found = [one.message for one in result.findings if one.code == "JS205"]
    complaints = []
    if result.outcome != "ends" or ended != list(range(ranks)):
        complaints.append(f"it {result.outcome}; MPI_Finalize has returned on ranks {ended}")
    if len(found) != 1 or not found[0].startswith("3 messages from rank 0 to rank "):
        complaints.append(f"reported: {found}")
    return complaints
