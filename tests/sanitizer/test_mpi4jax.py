"""mpi4jax under the sanitizer: misuse ends with the lines of both sides, correct programs are left alone.

They run where mpi4jax is: `python tests/prepare.py` builds it. By default a few programs run; ``-m soak`` runs all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from .ahead_mpi4jax import ALIKE, DIFFER_LATER
from .cases import Clean, Fault
from .clean_mpi4jax import CORRECT
from .environments import LIBRARIES, Environment, cannot_run, environment_of, has
from .expectations import complaints_about_clean, complaints_about_fault
from .faults_mpi4jax import MISUSE
from .harness import run
from .linted_mpi4jax import SEEN_BY_THE_LINTER, Linted

QUICK = (
    "2 messages of both", "2b", "4 shapes", "8b template longer", "16", "19", "every operation", "after waiting",
    "ahead, an operator", "ahead, a message", "ahead, cut", "ahead, branches", "ahead, a function that fails",
)  # fmt: skip
PATIENCE_ALONE = 20.0
VARIABLES = {"JAX_PLATFORMS": "cpu"}


def cells(cases: Sequence[Fault | Clean]) -> list[ParameterSet]:
    """Every program on every library; a few of these by default, the others as soak."""
    found = []
    for number, case in enumerate(cases):
        columns = list(product(LIBRARIES, case.ranks))
        for position, (library, ranks) in enumerate(columns):
            by_default = position == number % len(columns) and any(part in case.name for part in QUICK)
            name = f"{case.name}, {library}, {ranks} ranks".replace(" ", "_")
            marks = [] if by_default else [pytest.mark.soak]
            found.append(pytest.param(case, library, ranks, id=name, marks=[pytest.mark.runs_mpi, *marks]))
    return found


def with_mpi4jax(library: str) -> Environment:
    """The environment of the library; without mpi4jax it skips, or fails where runs are required."""
    environment = environment_of(library)
    if not has(environment.prefix, "mpi4jax"):
        cannot_run(f"no mpi4jax in {environment.prefix}: run `python tests/prepare.py`")
    return environment


@pytest.mark.parametrize(("fault", "library", "ranks"), cells([*MISUSE, *DIFFER_LATER]))
def test_misuse_is_reported(fault: Fault, library: str, ranks: int) -> None:
    result = run(with_mpi4jax(library), fault.text, ranks, options=fault.options, variables=VARIABLES)
    complaints = complaints_about_fault(fault, result, ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.soak
@pytest.mark.parametrize(("fault", "library", "ranks"), [p.values for p in cells([*MISUSE, *DIFFER_LATER])])
def test_misuse_without_the_sanitizer(fault: Fault, library: str, ranks: int) -> None:
    result = run(with_mpi4jax(library), fault.text, ranks, sanitize="", variables=VARIABLES, seconds=PATIENCE_ALONE)
    assert result.outcome in fault.outcomes(library, ranks), str(result)


@pytest.mark.runs_mpi
@pytest.mark.parametrize("case", DIFFER_LATER, ids=lambda case: case.name.replace(" ", "_"))
def test_what_differs_later_is_seen_before_anything_moves(mpi: Environment, case: Fault) -> None:
    result = run(with_mpi4jax(mpi.library), case.text, 2, options=case.options, variables=VARIABLES)
    (found,) = result.errors
    assert found.raw["notes"] == [
        "detected before the call: a compiled function is compared with those of the other ranks at its first launch"
    ], str(result)


@pytest.mark.parametrize(("case", "library", "ranks"), cells([*CORRECT, *ALIKE]))
def test_correct_program_is_left_alone(case: Clean, library: str, ranks: int) -> None:
    result = run(with_mpi4jax(library), case.text, ranks, options=case.options, variables=VARIABLES, seconds=60)
    complaints = complaints_about_clean(case, result)
    assert not complaints, "\n".join([*complaints, case.text, str(result)])


@pytest.mark.jobs
@pytest.mark.parametrize("case", SEEN_BY_THE_LINTER, ids=lambda case: case.name.replace(" ", "_"))
def test_what_no_run_can_tell_is_seen_by_the_linter(case: Linted, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--output-format", "json", "-"]
    done = subprocess.run(
        command, cwd=tmp_path, input=case.text, capture_output=True, text=True, timeout=120, check=False
    )
    found = [(one["code"], one["location"]["row"]) for one in json.loads(done.stdout)]
    assert found == [(case.code, case.line)], done.stderr


LINE = """\
@jax.jit
def step(x):
    def body(i, y):
        return mpi4jax.allreduce(y, op=MPI.SUM)
    return jax.lax.fori_loop(0, 2, body, x)

def loss(x):
    return (step(x) ** 2).sum()
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize(
    ("call", "operand"),
    [("step(x)", "float32[2,3]"), ("jax.vmap(step)(x)", "float32[2,3]"), ("jax.jit(step)(x)", "float32[2,3]")],
)
def test_line_and_shape_of_an_operation(mpi: Environment, call: str, operand: str) -> None:
    from .mpi4jax_cases import PREAMBLE

    text = f"{PREAMBLE}{LINE}x = jnp.ones((2, 3 + rank))\nprint({call})\n"
    result = run(with_mpi4jax(mpi.library), text, 2, variables=VARIABLES)
    (found,) = result.errors
    line = text[: text.index("return mpi4jax")].count("\n") + 1
    assert {(place.rank, place.line) for place in found.places} == {(0, line), (1, line)}, str(result)
    assert all(str(place.function).endswith("body") for place in found.places)
    assert found.raw["locations"][0]["operation"].startswith("mpi4jax.allreduce(op=SUM)")
    assert operand in {location["operand"] for location in found.raw["locations"]}, str(result)


LAUNCH = """\
def total(x):
    return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)  # operation

@jax.jit
def step(x):
    return total(x) * 2  # inside

x = jnp.ones({size})
step(x).block_until_ready()
total(x).block_until_ready()
compiled = step.lower(x).compile()

def again():
    return {call}  # launch

if rank == 0:
    again().block_until_ready()  # outermost
else:
    comm.allreduce(1)
"""


@pytest.mark.runs_mpi
@pytest.mark.parametrize(
    ("call", "size", "inside"),
    [("step(x)", 3, True), ("step(x)", 1_000_000, True), ("compiled(x)", 3, True), ("total(x)", 3, False)],
)
def test_callers_are_those_of_the_launch(mpi: Environment, call: str, size: int, inside: bool) -> None:
    from .mpi4jax_cases import PREAMBLE

    text = PREAMBLE + LAUNCH.format(call=call, size=size)
    result = run(with_mpi4jax(mpi.library), text, 2, variables=VARIABLES)
    (found,) = result.errors
    (place,) = (one for one in found.raw["locations"] if one["rank"] == 0)
    marks = ["operation", *(["inside"] if inside else []), "launch", "outermost"]
    expected = [text[: text.index(f"# {mark}")].count("\n") + 1 for mark in marks]
    assert [place["line"], *(frame["line"] for frame in place["callers"])] == expected, str(result)
    assert place["operand"] == f"float32[{size}]"


RESULTS = """\
import hashlib
def step(x):
    y = mpi4jax.allreduce(jnp.sin(x) * (rank + 1), op=MPI.SUM)
    return mpi4jax.sendrecv(y * 0.1, y, left, right, sendtag=1, recvtag=1)
x = jnp.linspace(0.0, 1.0, 1000)
lowered = jax.jit(step).lower(x)
for _ in range(3):
    x = jax.jit(step)(x)
g = jax.grad(lambda v: (step(v) ** 2).sum())(x)
if rank == 0:
    print(hashlib.sha256(np.asarray(x).tobytes() + np.asarray(g).tobytes()).hexdigest())
    print(str(jax.make_jaxpr(step)(x)).count("_mpi["), jax.jit(step)._cache_size())
"""


@pytest.mark.runs_mpi
def test_results_and_caches_are_the_same(mpi: Environment) -> None:
    from .mpi4jax_cases import PREAMBLE

    environment = with_mpi4jax(mpi.library)
    on, off = (
        run(environment, PREAMBLE + RESULTS, 2, sanitize=value, variables=VARIABLES).out.split() for value in ("1", "")
    )
    assert len(on) == 3
    assert on == off


OLDER = """\
import types
from mpi4py import MPI
from jaxmpi_lint.runtime.process import mpi4jax_operations
mpi4jax = mpi4jax_operations.Mpi4jax()
mpi4jax.watch(types.ModuleType("bridge of mpi4jax 0.8"))
mpi4jax.watch(types.ModuleType("bridge of mpi4jax 0.8"))
"""


@pytest.mark.runs_mpi
def test_an_older_mpi4jax_is_named_once(mpi: Environment) -> None:
    result = run(mpi, OLDER, 2)
    said = [line for line in result.said if "lines of mpi4jax's operations" in line]
    assert said == ["jaxmpi-sanitize: not checked: lines of mpi4jax's operations (mpi4jax 0.9 and later only)"]
    assert result.status == 0
