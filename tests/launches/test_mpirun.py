"""JAX beside MPI in one job: both are watched, and neither is taken for the other."""

from __future__ import annotations

import pytest
from sanitizer.environments import Environment, cannot_run, has

from .cases import MISTAKES
from .jobs import PRELUDE, Result, run

pytestmark = [pytest.mark.runs_jax, pytest.mark.runs_mpi]

WITH_MPI = PRELUDE.replace(
    'rank, size = int(os.environ["PROCESS"]), int(os.environ["PROCESSES"])\n',
    "from mpi4py import MPI\nworld = MPI.COMM_WORLD\nrank, size = world.rank, world.size\n",
)
CASES = {one.name: one for one in MISTAKES}


def launch(mpi: Environment, program: str, prelude: str = WITH_MPI) -> Result:
    if not has(mpi.prefix, "jax"):
        cannot_run(f"no jax in the environment with {mpi}: run `python tests/prepare.py`")
    return run(program, prelude=prelude, launcher=mpi.launch(2), where=mpi)


def test_both_are_checked_and_silent(mpi: Environment) -> None:
    case = CASES["c2-opposite-order"]
    result = launch(mpi, case.text.replace(*case.twin) + "assert world.allreduce(1) == 2\n")
    assert result.statuses == (0,), result
    assert result.findings == (), result
    assert sum("checking the launches of 2 JAX processes" in line for line in result.said) == 1, result
    assert sum("checking 2 ranks of " in line for line in result.said) == 1, result


@pytest.mark.parametrize("name", ["c2-opposite-order", pytest.param("k3-raises", marks=pytest.mark.soak)])
def test_mistake_in_the_launches(mpi: Environment, name: str) -> None:
    result = launch(mpi, CASES[name].text)
    assert result.statuses == (66,), result
    assert result.codes == {CASES[name].code}, result
    assert not result.left, result


@pytest.mark.parametrize(("last", "code"), [
    pytest.param("world.bcast(1, root=rank)", "JS103", id="a message"),
    pytest.param("if rank == 0:\n    float(x.sum())", "JS503", id="a launch", marks=pytest.mark.soak),
])  # fmt: skip
def test_one_story(mpi: Environment, last: str, code: str) -> None:
    """What each side did in MPI and in JAX stands in one list, in the order of time."""
    result = launch(mpi, f"x = spread(np.ones(2))\nfloat(x.sum())\nworld.barrier()\nfloat(x.sum())\n{last}\n")
    assert result.statuses == (66,), result
    assert result.codes == {code}, result
    (text,) = [text for text in result.err if "in MPI and in JAX" in text]
    tale = [line for line in text.partition("rank 0 in MPI and in JAX")[2].splitlines() if " s ago  " in line]
    kinds = [line.split(" s ago  ")[1].split()[0] for line in tale]
    assert "JAX MPI JAX" in " ".join(kinds), text
    assert all("program.py:" in line for line in tale[-2:]), text


@pytest.mark.soak
def test_launcher_without_mpi(mpi: Environment) -> None:
    variable = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}[mpi.library]
    result = launch(mpi, CASES["b-leaves-the-loop-early"].text, PRELUDE.replace('"PROCESS"]', f'"{variable}"]'))
    assert result.statuses == (66,), result
    assert result.codes == {"JS503"}, result
