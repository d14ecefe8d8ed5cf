"""Roots of collectives that are not numbers."""

from __future__ import annotations

import pytest

from interpreter.running import explored

HEAD = "from mpi4py import MPI\nimport plan\ncomm = MPI.COMM_WORLD\n"


@pytest.mark.parametrize("root", ["[0]", "{'root': 0}", "None", "plan.root()"])
def test_a_root_of_any_type_ends_in_no_internal_error(root: str) -> None:
    [result] = explored(f"{HEAD}root = {root}\ncomm.bcast(1, root=root)\n")
    assert result.failure is None
