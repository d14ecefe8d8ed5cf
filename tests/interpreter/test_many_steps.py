"""Programs that would take too many steps: fewer passes of their loops are run."""

from __future__ import annotations

import pytest

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


CLOCKED = """
from mpi4py import MPI

comm = MPI.COMM_WORLD
cells = [0.5 + comm.rank] * 40
time, step = 0.0, 0
while {test}:
    comm.allreduce(max(cells))
    for cell in range(len(cells)):
        cells[cell] = cells[cell] * 0.99
    time += 0.001
    step += 1
    {inner}
if comm.rank == 0:
    comm.Barrier()
"""


@pytest.mark.parametrize(
    ("test", "inner"),
    [("time < 0.6", ""), ("step < 600 and time < 9", ""), ("True", "if step >= 600:\n        break")],
)
def test_a_while_loop_of_many_iterations(test: str, inner: str) -> None:
    [result] = explored(CLOCKED.format(test=test, inner=inner))
    assert not result.cuts
    assert {(one.fault.kind.value, one.fault.place.row) for one in result.found} == {("parted", 15 + inner.count("\n"))}


def test_what_the_last_iterations_send_is_not_known() -> None:
    [result] = explored("""
from mpi4py import MPI

comm = MPI.COMM_WORLD
tasks, done, total = 600, 0, 0
if comm.rank == 0:
    while done < tasks:
        worker = comm.recv()
        comm.send(done if done < tasks - comm.size + 1 else None, dest=worker)
        for digit in range(20):
            total += digit * done
        done += 1
else:
    comm.send(comm.rank, dest=0)
    while comm.recv(source=0) is not None:
        comm.send(comm.rank, dest=0)
""")
    assert [one for one in result.found if one.certainty > 1] == []


def test_messages_of_a_sampled_generator_are_not_counted() -> None:
    [result] = explored("""
from mpi4py import MPI

def positions(count):
    for row in range(count):
        for column in range(row + 1):
            yield row, column

comm = MPI.COMM_WORLD
blocks = {}
if comm.rank == 0:
    for row, column in positions(12):
        blocks[row, column] = sum(row * step for step in range(9)) if row else 0
        for power in range(60):
            blocks[row, column] += power
    for (row, column), block in blocks.items():
        target = (row + column) % comm.size
        if target:
            comm.send(block, dest=target, tag=12 * row + column)
else:
    for row, column in positions(12):
        if (row + column) % comm.size == comm.rank:
            blocks[row, column] = comm.recv(source=0, tag=12 * row + column)
comm.Barrier()
""")
    assert [one for one in result.found if one.certainty > 1] == []


def test_names_of_the_file_are_not_lost_in_a_function() -> None:
    [result] = explored("""
from mpi4py import MPI

comm = MPI.COMM_WORLD
seen = []

def exchange():
    for step in range(500):
        comm.allreduce(step)
        seen.append(step)
    if comm.rank == 0:
        comm.Barrier()

exchange()
""")
    assert {(one.fault.kind.value, one.fault.place.row) for one in result.found} == {("parted", 12)}


def test_what_the_test_of_a_long_loop_names_is_not_lost() -> None:
    [result] = explored("""
from mpi4py import MPI

comm = MPI.COMM_WORLD

def run():
    items = list(range(900))
    while len(items) > 0 and comm.size > 1:
        items.pop()
        for part in range(20):
            part += 1
        comm.allreduce(part)
    if comm.rank == 0:
        comm.Barrier()

run()
""")
    assert not result.cuts
    assert {(one.fault.kind.value, one.fault.place.row) for one in result.found} == {("parted", 14)}
