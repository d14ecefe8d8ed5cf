"""Programs whose MPI calls are in helpers: a report shows the line that a person has to change.

That line is marked ``# change`` in `tests/call_paths`; the marks were set before reports had callers. Each program has
a right twin. `cases.csv` states what a case is, and whether its line is on the stack of a rank at the call at all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .call_paths import Case, built, cases, environment_for, first_frames, job, marked
from .environments import Environment

USUAL = (  # every third, in the order of the table, is tested by default; all of them as soak
    "function_count",
    "module_two_levels_extra_call",
    "method_instance_count",
    "decorator_wraps_extra_call",
    "context_class_extra_call",
    "comprehension_list_extra_call",
    "message_wrong_tag",
    "exit_in_helper",
    "context_with_exception",
    "exception_in_caller",
    "mpi4jax_extra_call",
    "c_count",
    "ctypes_count",
    "cython_caller_operator",
    "fortran_f08_extra_call",
)

CASES = [pytest.param(case, id=case.name, marks=() if case.name in USUAL else pytest.mark.soak) for case in cases()]


@pytest.mark.runs_mpi
@pytest.mark.parametrize("case", CASES)
def test_line_to_change_is_shown(mpi: Environment, case: Case, tmp_path: Path) -> None:
    environment = environment_for(case, mpi, tmp_path)
    place = built(case, environment, tmp_path)
    result = job(case, case.wrong, environment, place)
    found = [finding for finding in result.findings if finding.severity != "info"]
    assert found, str(result)
    if not case.is_active:
        return
    shown = marked(place) & first_frames(found[0])
    assert shown, str(result)
    for file, line in shown:
        assert f"{Path(file).name}:{line}" in result.err, str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("case", CASES)
def test_right_twin_has_no_error(mpi: Environment, case: Case, tmp_path: Path) -> None:
    environment = environment_for(case, mpi, tmp_path)
    result = job(case, case.right, environment, built(case, environment, tmp_path))
    assert result.status == 0, str(result)
    assert not result.errors, str(result)
