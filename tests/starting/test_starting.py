"""What hangs before a job begins is named within seconds, and a job that begins is left alone: real processes."""

from __future__ import annotations

import re

import pytest
from launches.jobs import Result, environment, free_address, lines_of, run
from sanitizer.environments import Environment, environment_of

from .cases import MPIRUN, PLAIN, PRELUDE, RIGHT, SLURM, VARIABLES, WRONG, Right, Wrong

pytestmark = pytest.mark.runs_jax

WITHIN = 5.5  # seconds from the last call of `initialize` to the report; a loaded machine may take half a second
LIBRARIES = {"OMPI_COMM_WORLD_RANK": "OMPI_COMM_WORLD_SIZE", "PMI_RANK": "PMI_SIZE"}
BEGAN = re.compile(r"^began ([\d.]+)", re.MULTILINE)


def start(case: Wrong | Right, mpi: str = "openmpi") -> tuple[Result, str]:
    where: Environment = environment_of(mpi) if case.way == MPIRUN else environment()
    names = VARIABLES.get(case.way) or (
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE") if mpi == "openmpi" else ("PMI_RANK", "PMI_SIZE")
    )
    prelude = PRELUDE.replace("RANK_NAME", names[0]).replace("SIZE_NAME", names[1])
    each = [variables(case, index) for index in range(1 if case.way == MPIRUN else case.processes)]
    other = free_address()
    result = run(
        case.text, case.processes, prelude=prelude, each=[one | {"OTHER": other} for one in each], where=where,
        launcher=where.launch(case.processes) if case.way == MPIRUN else (), seconds=60,
    )  # fmt: skip
    return result, prelude


def variables(case: Wrong | Right, index: int) -> dict[str, str]:
    """The variables of Slurm for a process that it has not started."""
    if case.way != SLURM:
        return {}
    return {
        "SLURM_JOB_ID": str(abs(hash(case.name)) % 10**8), "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_NODES": "1",
        "SLURM_PROCID": str(index), "SLURM_STEP_NUM_TASKS": str(case.processes),
    }  # fmt: skip


def of(cases: tuple[Wrong, ...] | tuple[Right, ...]) -> list[object]:
    return [pytest.param(one, id=one.name, marks=[] if one.quick else [pytest.mark.soak]) for one in cases]


@pytest.mark.parametrize("case", of(WRONG))
def test_wrong_start_is_named(case: Wrong) -> None:
    result, prelude = start(case)
    shown = [one for one in result.findings if one.code == case.code]
    assert shown, result
    text = "\n".join([one.message for one in shown] + [note for one in shown for note in one.raw["notes"]])
    for words in case.says:
        assert words in text, result
    began = [float(found) for out in result.out for found in BEGAN.findall(out)]
    seconds = shown[0].raw["time"] - max(began)
    print(f"{case.name}: {seconds:.1f} s after the last call: {shown[0].message}")
    assert seconds < WITHIN, result
    (line,) = lines_of(case.text, "here", prelude)
    assert line in {place.line for place in shown[0].places}, result
    error = case.code != "JS511"
    assert shown[0].severity == ("error" if error else "info"), result
    assert (66 in result.statuses) == error, result  # a notice leaves the end to JAX
    assert not result.hung, result
    if error and case.way != MPIRUN:
        assert set(result.statuses) == {66}, result
    assert sum(text.count(f"{case.code} {shown[0].severity}: ") for text in result.err) == len(shown), result


@pytest.mark.parametrize("case", of(RIGHT))
def test_right_start_is_no_error(case: Right) -> None:
    result, _ = start(case)
    assert set(result.statuses) == {0}, result
    assert {one.severity for one in result.findings} <= {"info"}, result
    if case.quick:
        assert not result.findings, result
    assert not any("internal error" in line or "not checked: the" in line for line in result.said), result


@pytest.mark.soak
@pytest.mark.parametrize("case", [pytest.param(one, id=one.name) for one in (*WRONG, *RIGHT) if one.way == MPIRUN])
def test_the_same_on_mpich(case: Wrong | Right) -> None:
    result, _ = start(case, "mpich")
    if isinstance(case, Right):
        assert set(result.statuses) == {0}, result
        assert {one.severity for one in result.findings} <= {"info"}, result
    else:
        assert case.code in result.codes, result


@pytest.mark.soak
def test_without_the_sanitizer_nothing_is_said_or_ended() -> None:
    case = next(one for one in WRONG if one.name == "ids-alike" and one.way == PLAIN)
    prelude = PRELUDE.replace("RANK_NAME", "PROCESS").replace("SIZE_NAME", "PROCESSES")
    result = run(case.text, 3, prelude=prelude, each=[{"OTHER": ""}] * 3, sanitize="0", seconds=60)
    assert not result.findings, result
    assert 66 not in result.statuses, result
