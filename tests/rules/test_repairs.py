"""Repairs that once went wrong."""

from __future__ import annotations

import pytest

from jaxmpi_lint import testing


@pytest.mark.parametrize(
    "text",
    [
        "import jax\njax.distributed.initialize(jax.device_count())\njax.distributed.initialize(jax.device_count())\n",
        "try:from mpi4py import MPI\nfinally:s\ncomm = MPI.COMM_WORLD\ndef r():comm.bcast(e,root=hash(str(e)) % 3)\n",
    ],
)
def test_a_repair_that_cannot_be_right_is_not_offered(text: str) -> None:
    found = testing.lint({"m.py": text})
    assert found
    assert all(diagnostic.fix is None for diagnostic in found)
