"""The example is computed alike on any number of ranks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jobs import run
from sanitizer.environments import Environment

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "shallow_water" / "right_core.py"


@pytest.mark.runs_mpi
def test_fields_are_identical(mpi: Environment) -> None:
    fields = set()
    for ranks in (1, 2, 4):
        job = run(mpi, ranks, EXAMPLE, {"JAXMPI_SANITIZE": "1"})
        assert job.status == 0, job.text
        fields.update(re.findall(r"field ([0-9a-f]{16})", job.text))
    assert len(fields) == 1
