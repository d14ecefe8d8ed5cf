"""What counts as a difference in the suites of other projects, and how their jobs are started on several hosts."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from places import BENCHMARKS


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("mpi4py_suite")


def test_outcomes_exit_codes_and_reports_count_as_differences(suite: ModuleType) -> None:
    off = suite.Outcome(0, {"0:a": "passed"}, (), "")
    assert list(suite.differences(off, suite.Outcome(0, {"0:a": "passed"}, (), ""))) == []
    for on, said in (
        (suite.Outcome(66, off.tests, (), ""), "exit 0 without, 66 with"),
        (suite.Outcome(0, {"0:a": "failed"}, (), ""), "0:a: passed without, failed with"),
        (suite.Outcome(0, off.tests, ("JS101",), ""), "reported: JS101"),
    ):
        assert list(suite.differences(off, on)) == [said]


def test_hosts_that_are_not_compared_count_as_a_difference(suite: ModuleType) -> None:
    off = suite.Outcome(0, {}, (), "")
    said = "jaxmpi-sanitize: checking {} ranks of MPICH on {}; not checked: one-sided accesses\n"
    together = suite.Outcome(0, {}, (), said.format(4, "2 hosts (host1, host2)"))
    assert list(suite.differences(off, together, 2)) == []
    apart = suite.Outcome(0, {}, (), said.format(2, "host1") + said.format(2, "host2"))
    assert list(suite.differences(off, apart, 2)) == ["the hosts were not compared"]


def test_ranks_are_dealt_to_both_hosts(suite: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for library, ranks, words in (
        ("openmpi", 4, "-x JAXMPI_SANITIZE -x OMP_NUM_THREADS -x OPENBLAS_NUM_THREADS --map-by ppr:2:node"),
        ("openmpi", 3, "--map-by node:oversubscribe --host host1:3,host2:3"),
        ("mpich", 4, "-hosts host1,host2 -ppn 2"),
        ("mpich", 3, "-hosts host1,host2 -ppn 1"),
    ):
        monkeypatch.setattr("job_hosts.library", lambda library=library: library)
        command = suite.Place(2, ("nsenter",)).command(ranks, Path("/"), ["JAXMPI_SANITIZE"])
        assert command[0] == "nsenter"
        assert words in " ".join(command)
        assert suite.Place().command(ranks, Path("/"), ["JAXMPI_SANITIZE"])[1:] == ["-n", str(ranks)]
