"""The right versions of the examples, run for real: as MPI ranks or as JAX processes, with the result they print.

A program that cannot run here for want of a package or of ``mpirun`` is skipped with the name of what is missing, or
fails with it if ``JAXMPI_REQUIRE_RUNS`` is set.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from example_jobs import SECONDS, launcher, output_of, require
from places import EXAMPLES
from sanitizer.environments import OVERSUBSCRIBED

NEEDS_CLUSTER = {"cpu_collectives/right_mpi.py": "MPItrampoline's wrapper library"}
NEEDS_OLD_RELEASE = {"fft3d_old_tokens/right.py": "mpi4jax before 0.8"}
MARKER = re.compile(r"#! (JM\d{3})")
LATER = re.compile(r"^\s*# later: \S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """A program, on how many processes, and what its output has to match."""

    program: str
    processes: int
    printed: str

    def __str__(self) -> str:
        return f"{self.program}-{self.processes}"


def runs(program: str, processes: tuple[int, ...], printed: str) -> list[Run]:
    """The same program on different numbers of processes; ``{n}`` in the pattern is that number."""
    return [Run(program, n, printed.replace("{n}", str(n))) for n in processes]


MPI_RUNS = [
    *runs(
        "received_array/right.py", (1, 2, 4), r"{n} layers, largest difference on any rank: (0\.0e\+00|\d\.\de-0[6-9])"
    ),
    *runs("two_libraries/right.py", (2, 4), r"{n} ranks, largest residual: .*, at rest: True"),
    *runs("gpu_aware_mpi/right.py", (1, 4), r"{n} ranks, .*: largest eigenvalue 67\.969, direct 67\.969"),
    *runs("allreduce_in_jit/right.py", (1, 2, 4), r"{n} ranks: weights 1\.5000 -0\.7000, loss \d\.\de-(0[6-9]|1\d)"),
    *runs("fft3d/right.py", (1, 2, 4), r"\d x \d processes: relative error .*, agrees: True"),
    *runs("shallow_water/right.py", (1, 2, 4), r"\d x \d blocks: water 2340\.\d+, difference .*, agrees: True"),
    *runs("shallow_water/right_core.py", (1, 2, 4), r"\d x \d blocks: water 2340\.\d+, field [0-9a-f]{16}"),
    *runs("gpu_cluster/right.py", (2, 4), r"{n} ranks, at most 1 device each: volume 4\.9\d, exact 4\.93"),
    *runs("mpi4py_buffers/right.py", (1, 2, 4), r"{n} ranks, \d+ iterations, residual below 1e-5: True, \d on copper"),
    *runs("root_only_name/right.py", (1, 2, 4), r"{n} ranks: area 3\.14159, exact 3\.14159"),
    *runs("file_race/right.py", (1, 2, 4), r"{n} ranks: length 1\.43971, exact 1\.43971"),
]

JAX_RUNS = [
    *runs("late_initialize/right.py", (1, 2), r"{n} processes: pi is about 3\.14 from {n} shares"),
    Run("ragged_shapes/right.py", 1, r"1 processes, shape \(2, 3\): counted 5 tokens"),
    Run("ragged_shapes/right.py", 2, r"2 processes, shape \(4, 12\): counted 19 tokens"),
    *runs("last_batch/right.py", (1, 2), r"{n} processes: slope 3\.00, offset 0\.50"),
    *runs("set_order/right.py", (2,), r"2 processes: attention 9, embed 5, feedforward 11, output 6; total 45"),
    *runs("global_mesh/right.py", (1, 2), r"mesh \({n}, 2\): sum of squares 768\.8\d, numpy 768\.8\d, agrees: True"),
    *runs("resharding_solve/right.py", (2,), r"host 1: residual below 1e-9: True"),
    *runs("cpu_collectives/right_gloo.py", (2,), r"2 processes, gloo: mean 1\.000, amplitude 0\.381, exact 0\.381"),
]


def chosen(all_runs: list[Run]) -> list[ParameterSet]:
    """Each program on the number of processes that is nearest to two; the others as soak."""
    by_program: dict[str, list[Run]] = {}
    for run in all_runs:
        by_program.setdefault(run.program, []).append(run)
    usual = {str(min(some, key=lambda run: abs(run.processes - 2))) for some in by_program.values()}
    return [pytest.param(run, id=str(run), marks=() if str(run) in usual else pytest.mark.soak) for run in all_runs]


def programs(prefix: str) -> dict[str, Path]:
    """The programs of all situations whose names start with the prefix."""
    return {path.relative_to(EXAMPLES).as_posix(): path for path in sorted(EXAMPLES.glob(f"*/{prefix}*.py"))}


def modules_needed(program: str) -> list[str]:
    """The packages that the program imports, of those that may be absent."""
    text = (EXAMPLES / program).read_text(encoding="utf-8")
    return [
        name
        for name in ("numpy", "jax", "mpi4py", "mpi4jax")
        if re.search(rf"^(import|from) {name}\b", text, re.MULTILINE)
    ]


@pytest.mark.runs_mpi
@pytest.mark.parametrize("run", chosen(MPI_RUNS))
def test_mpi_example_gives_the_right_result(run: Run) -> None:
    mpirun = launcher()
    missing = [name for name in modules_needed(run.program) if importlib.util.find_spec(name) is None]
    require(missing + ([] if mpirun else ["mpirun"]))
    command = [str(mpirun), "-n", str(run.processes), sys.executable, str(EXAMPLES / run.program)]
    code, output = output_of(command, OVERSUBSCRIBED)
    assert code == 0, output
    assert re.search(run.printed, output), output


@pytest.mark.runs_jax
@pytest.mark.parametrize("run", chosen(JAX_RUNS))
def test_jax_example_gives_the_right_result(run: Run) -> None:
    require([name for name in modules_needed(run.program) if importlib.util.find_spec(name) is None])
    command = [
        sys.executable,
        str(EXAMPLES / "launch.py"),
        str(run.processes),
        str(EXAMPLES / run.program),
        str(SECONDS - 20),
    ]
    code, output = output_of(command, {"JAX_PLATFORMS": "cpu"})
    assert code == 0, output
    assert re.search(run.printed, output), output


def test_every_right_program_is_run_or_says_what_it_needs() -> None:
    run = {run.program for run in MPI_RUNS + JAX_RUNS}
    assert run | set(NEEDS_CLUSTER) | set(NEEDS_OLD_RELEASE) == set(programs("right"))


@pytest.mark.parametrize(("name", "path"), programs("wrong").items(), ids=str)
def test_wrong_program_names_its_finding(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert MARKER.search(text) or LATER.search(text), f"{name} has neither '#! CODE' nor '# later: ...'"


@pytest.mark.parametrize(("name", "path"), programs("right").items(), ids=str)
def test_right_program_has_no_marker(name: str, path: Path) -> None:
    assert not MARKER.search(path.read_text(encoding="utf-8")), name


def test_every_situation_has_a_caught_mistake_and_a_row_in_the_table() -> None:
    table = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for folder in sorted(path for path in EXAMPLES.iterdir() if path.is_dir() and any(path.glob("wrong*.py"))):
        assert any(folder.glob("right*.py")), f"{folder.name} has no right version"
        assert any(MARKER.search(path.read_text(encoding="utf-8")) for path in folder.glob("wrong*.py")), folder.name
        for path in sorted(folder.glob("wrong*.py")):
            codes = set(MARKER.findall(path.read_text(encoding="utf-8")))
            row = next((line for line in table.splitlines() if f"`{folder.name}/{path.name}`" in line), "")
            assert row, f"examples/README.md has no row for {folder.name}/{path.name}"
            assert codes <= set(re.findall(r"JM\d{3}", row)), f"{folder.name}/{path.name}: codes missing in its row"
