"""Messages continue while a rank waits for the others with `strict`, also if one has arrived that it receives later."""

from __future__ import annotations

import pytest

from .environments import LIBRARIES, environment_of
from .harness import run

pytestmark = pytest.mark.runs_mpi

PROGRAM = """
import time
import numpy as np
from mpi4py import MPI

comm, large, small = MPI.COMM_WORLD, np.zeros(1_000_000), np.zeros(4)
rank = comm.rank
comm.Barrier()
if rank == 0:
    request = comm.Isend(small, dest=1, tag=5)
    comm.Barrier()
    request.Wait()
if rank == 1:
    request = comm.Irecv(large, source=2)
    time.sleep(1)  # the small one arrives, which is received last
    comm.Barrier()
    request.Wait()
    comm.Recv(small, source=0, tag=5)
if rank == 2:
    time.sleep(2)
    comm.Send(large, dest=1)  # needs the progress of rank 1 in the barrier
    comm.Barrier()
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_others_continue(library: str) -> None:
    result = run(environment_of(library), PROGRAM, 3, sanitize="strict", seconds=20)
    assert (result.outcome, result.findings) == ("ends", ()), result
