"""Buffers of messages: what a specification says about counts."""

from __future__ import annotations

from interpreter.running import explored, faults

HEAD = "import numpy as np\nfrom mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"


def test_a_derived_datatype_selects_elements() -> None:
    text = HEAD + (
        "part = MPI.DOUBLE.Create_vector(4, 1, 4).Commit()\n"
        "if rank == 0:\n"
        "    for other in range(1, size):\n"
        "        comm.Send([np.zeros((4, 4)), part], dest=other)\n"
        "else:\n"
        "    comm.Recv(np.empty(4), source=0)\n"
    )
    assert faults(text) == set()


def test_a_buffer_that_is_too_small() -> None:
    text = HEAD + (
        "if rank == 0:\n"
        "    for other in range(1, size):\n"
        "        comm.Send(np.zeros(5), dest=other)\n"
        "else:\n"
        "    comm.Recv(np.empty(4), source=0)\n"
    )
    assert faults(text) == {("truncation", 9)}


def test_constants_on_the_left_are_compared_with_the_same_value() -> None:
    text = HEAD + (
        "import sys\n"
        "chosen = len(sys.argv) % 2\n"
        "if rank % 2 == chosen:\n"
        "    if 0 == chosen and 1 == chosen:\n"
        "        comm.Barrier()\n"
    )
    assert faults(text, 3) == set()


def test_a_misuse_of_memory_before_what_cannot_be_followed() -> None:
    text = HEAD + (
        "from mpi4py.futures import MPIPoolExecutor\n"
        "cells = np.zeros(4)\n"
        "request = comm.Isend(cells, dest=(rank + 1) % size)\n"
        "cells[0] = 1.0\n"
        "comm.Recv(np.empty(4), source=(rank - 1) % size)\n"
        "request.Wait()\n"
        "with MPIPoolExecutor() as pool:\n"
        "    pool.submit(print)\n"
    )
    [result] = explored(text)
    assert result.cuts
    assert {(found.fault.kind.value, found.fault.place.row) for found in result.found} == {("request buffer", 7)}
