"""Programs that would take too many steps: fewer passes of their loops are run."""

from __future__ import annotations

from interpreter.running import explored

TRAINING = """
from mpi4py import MPI

def batches(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]

comm = MPI.COMM_WORLD
rows = list(range({rows}))[comm.rank :: comm.size]
for epoch in range(50):
    for batch in batches(rows, 4):
        moved = 0
        for row in batch:
            for power in range(10):
                moved += row ** power
        comm.allreduce(moved)
comm.reduce(moved, op=MPI.MAX)
"""


def test_a_difference_at_the_end_of_a_long_run() -> None:
    [result] = explored(TRAINING.format(rows=25))  # 13 and 12 of two ranks
    faults = {(one.fault.kind.value, one.fault.place.row) for one in result.found if one.certainty == 3}
    assert not result.cuts
    assert ("mismatch", 16) in faults


def test_a_long_run_without_a_fault() -> None:
    [result] = explored(TRAINING.format(rows=24))
    assert not result.cuts and not result.found
    assert result.sizes == {2, 3, 4}
