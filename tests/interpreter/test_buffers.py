"""Buffers of messages: what a specification says about counts."""

from __future__ import annotations

from interpreter.running import faults

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
