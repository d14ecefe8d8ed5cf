"""The name that a finding gives a call: that of the method which the program calls."""

from __future__ import annotations

import pytest

from interpreter.running import explored

HEAD = "import numpy as np\nfrom mpi4py import MPI\ncomm = MPI.COMM_WORLD\nfield = np.zeros((4, 6))\n"


@pytest.mark.parametrize(
    ("call", "label"),
    [
        ("comm.Sendrecv(field[:, 1], dest=0, recvbuf=np.empty(4), source=0)", "Sendrecv"),
        ("comm.Sendrecv(np.empty(4), dest=0, recvbuf=field[:, 1], source=0)", "Sendrecv"),
        ("comm.sendrecv(1, dest=comm.size, source=0)", "sendrecv"),
        ("comm.Send(field[:, 1], dest=0)", "Send"),
    ],
)
def test_a_refused_call_has_its_own_name(call: str, label: str) -> None:
    [result] = explored(f"{HEAD}{call}\n")
    assert {one.fault.event.label for one in result.found} == {label}
