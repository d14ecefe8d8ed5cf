"""What must be the same in every process besides the program, and mistakes at the start of a job."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from places import LIBRARIES

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.xla.checks import launcher
from jaxmpi_lint.runtime.xla.checks.environment_agreement import FACTS, HASH_SEED, compare, flags, on_sets

USUAL = {
    "jax": "0.10.2", "jaxlib": "0.10.2", "python": "3.12", "XLA_FLAGS": "", "hash seed": "random", "processes": "4",
    "launched": "4", "jax_enable_x64": "False", "platform": "cpu", "local devices": "1", "device kind": "cpu",
}  # fmt: skip
OPEN_MPI_5 = {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}


def job(*others: dict[str, str]) -> dict[int, dict[str, str]]:
    """Four processes, of which the last ones differ from the usual."""
    known = [USUAL] * (4 - len(others)) + [USUAL | other for other in others]
    return dict(enumerate(known))


def test_equal_processes_have_no_finding() -> None:
    assert compare(job()) == ()
    assert compare({0: USUAL}) == ()
    assert compare({}) == ()


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_each_fact_that_differs_is_told_with_the_odd_process(fact: Any) -> None:
    collected = {process: {fact.name: "--xla_one=1" if process < 3 else "--xla_one=2"} for process in range(4)}
    (found,) = compare(collected)
    assert (found.code, found.severity) == (("JS000", "info") if fact.harmless else ("JS504", "warning"))
    assert found.message == (f"{fact.what} differs: --xla_one=1 on ranks 0-2; --xla_one=2 on rank 3")
    assert [(side.ranks, side.odd) for side in found.sides] == [((0, 1, 2), False), ((3,), True)]
    assert found.ranks == (0, 1, 2, 3)
    assert found.remedy


def test_of_two_processes_neither_is_the_odd_one() -> None:
    (found,) = compare({0: USUAL, 1: USUAL | {"jax_enable_x64": "True"}})
    assert found.message == "jax_enable_x64 differs: False on rank 0; True on rank 1"
    assert not any(side.odd for side in found.sides)


def test_several_differences_are_several_findings() -> None:
    found = compare(job({"jax": "0.9.2", "jaxlib": "0.9.2"}, {"jax_enable_x64": "True"}))
    assert [one.sides[1].ranks for one in found] == [(2,), (2,), (3,)]


def test_what_a_process_does_not_say_is_not_compared() -> None:
    assert compare({0: USUAL, 1: {"jax": "0.10.2"}, 2: {}}) == ()


@pytest.mark.parametrize("seed", ["random", "0", "12"])
def test_seeds_of_hashes_are_no_finding_but_a_note_for_another_order(seed: str) -> None:
    collected = job({HASH_SEED: seed})
    assert compare(collected) == ()
    assert "sorted" in str(on_sets(collected))


def test_equal_seeds_explain_nothing() -> None:
    assert on_sets({process: USUAL | {HASH_SEED: "0"} for process in range(4)}) is None
    assert on_sets({0: USUAL}) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "--xla_dump_to=/tmp/3 --xla_dump_hlo_as_text"),
        ("--xla_a=1 --xla_b=2", "--xla_b=2  --xla_a=1"),
        ("--xla_a=1", "--xla_a=3 --xla_a=1"),
        ("", "--xla_force_host_platform_device_count=2"),  # the number of devices is compared itself
    ],
)
def test_flags_that_come_to_the_same_are_no_difference(one: str, other: str) -> None:
    assert flags(one) == flags(other)


def test_of_flags_only_those_are_told_that_differ() -> None:
    (found,) = compare(job({"XLA_FLAGS": "--xla_a=1 --xla_b=2"}) | {0: USUAL | {"XLA_FLAGS": "--xla_a=1"}})[:1]
    assert "none on rank" in found.message
    (found,) = compare({0: {"XLA_FLAGS": "--xla_a=1"}, 1: {"XLA_FLAGS": "--xla_a=1 --xla_b=2"}})
    assert found.message == "XLA_FLAGS differs: none on rank 0; --xla_b=2 on rank 1"


def test_another_number_than_the_launcher_started_is_a_note() -> None:
    (found,) = compare({process: USUAL | {"processes": "2"} for process in range(2)})
    assert (found.code, found.severity) == ("JS000", "info")
    assert found.message == "JAX runs with 2 processes, the launcher started 4"
    assert compare({process: USUAL | {"launched": "not set"} for process in range(2)}) == ()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"OMPI_COMM_WORLD_SIZE": "4"}, 4),
        ({"PMI_SIZE": "3"}, 3),
        ({"SLURM_STEP_NUM_TASKS": "8", "SLURM_NTASKS": "16"}, 8),
        ({"SLURM_NTASKS": "16"}, None),  # a batch script, not a step
        ({"PMI_SIZE": "many"}, None),
    ],
)
def test_the_launcher_says_how_many(environment: dict[str, str], expected: int | None) -> None:
    assert launcher.launched(environment) == expected


@pytest.mark.parametrize(
    ("error", "environment", "told"),
    [
        (ValueError("coordinator_address should be defined."), OPEN_MPI_5, True),
        (ValueError("coordinator_address should be defined."), {}, False),
        (ValueError("coordinator_address should be defined."),
         OPEN_MPI_5 | {"OMPI_MCA_orte_hnp_uri": "1.0;tcp://1.2.3.4:5"}, False),
        (ValueError("Number of processes must be defined."), OPEN_MPI_5, False),
        (RuntimeError("coordinator_address should be defined."), OPEN_MPI_5, False),
    ],
)  # fmt: skip
def test_a_bare_initialize_under_open_mpi_5_is_explained(
    error: Exception, environment: dict[str, str], told: bool
) -> None:
    line = launcher.repair(error, environment)
    assert (line is not None) is told
    assert line is None or ("\n" not in line and 'cluster_detection_method="mpi4py"' in line)


def test_the_error_keeps_its_type_and_gets_the_line_as_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    class State:
        def initialize(self, address: str = "") -> str:
            if not address:
                raise ValueError("coordinator_address should be defined.")
            return address

    monkeypatch.delenv("OMPI_MCA_orte_hnp_uri", raising=False)
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    module = ModuleType("distributed")
    module.State = State  # type: ignore[attr-defined]
    launcher.explain(module)
    with pytest.raises(ValueError, match="should be defined") as raised:
        State().initialize()
    assert len(raised.value.__notes__) == 1
    assert State().initialize(address="there") == "there"


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A process of a launched job whose JAX was not initialised."""
    for name in launcher.OTHER_WAYS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    state = SimpleNamespace(global_state=SimpleNamespace(client=None))
    monkeypatch.setitem(sys.modules, "jax._src.distributed", state)
    return monkeypatch


def test_programs_of_one_process_under_a_launcher_are_a_note(alone: pytest.MonkeyPatch) -> None:
    found = launcher.independent("jax.process_index", OPEN_MPI_5)
    assert found is not None
    assert (found.code, found.severity) == ("JS000", "info")
    assert "JAX runs as 4 separate jobs of one process each" in found.message
    assert launcher.independent("jax.process_index", {}) is None
    assert launcher.independent("jax.process_index", {"PMI_SIZE": "1"}) is None


@pytest.mark.parametrize("library", ["mpi4py", "mpi4jax"])
def test_jax_on_each_rank_of_an_mpi_program_is_right(alone: pytest.MonkeyPatch, library: str) -> None:
    alone.setitem(sys.modules, library, ModuleType(library))
    assert launcher.independent("jax.process_index", OPEN_MPI_5) is None


def test_an_initialised_job_is_right(alone: pytest.MonkeyPatch) -> None:
    state = SimpleNamespace(global_state=SimpleNamespace(client=object()))
    alone.setitem(sys.modules, "jax._src.distributed", state)
    assert launcher.independent("jax.process_index", OPEN_MPI_5) is None


def test_who_asks_is_told_once_by_the_first_rank(alone: pytest.MonkeyPatch) -> None:
    for name, value in OPEN_MPI_5.items():
        alone.setenv(name, value)
    told: list[Finding] = []
    module = ModuleType("jax")
    module.process_index = lambda: 0  # type: ignore[attr-defined]
    launcher.Asking(told.append).watch(module)
    library = compile("index()", f"{LIBRARIES}/flax/io.py", "eval")
    assert eval(library, {"index": module.process_index}) == 0  # noqa: S307
    assert told == []
    assert [module.process_index(), module.process_index()] == [0, 0]
    assert [one.code for one in told] == ["JS000"]
    alone.setenv("OMPI_COMM_WORLD_RANK", "1")
    launcher.Asking(told.append).watch(module)
    module.process_index()
    assert len(told) == 1
