"""`jaxmpi-sanitize doctor --hosts`: what it says about hosts that can be checked together, and that cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sanitizer.environments import Environment, environment_of

from jaxmpi_lint.runtime.commands import doctor, doctor_hosts, host_probe
from jaxmpi_lint.runtime.commands.host_probe import Said

from .conftest import Hosts
from .jobs import launcher

GOOD = Said("node1", "1", version="0.1.0", options="the defaults", addresses=("10.0.0.1",), mpi4py=True)
OTHER = replace(GOOD, host="node2")


def lines(said: Sequence[Said]) -> list[str]:
    return [" ".join(str(one).split()) for one in doctor_hosts.of_each_host(said)]


def test_equal_hosts() -> None:
    assert lines([GOOD, OTHER]) == [
        "ok jaxmpi-lint: 0.1.0 on every host",
        "ok switch: JAXMPI_SANITIZE reaches every host",
        "ok options: the defaults on every host",
        "ok sockets: pyzmq with CURVE on every host",
    ]


@pytest.mark.parametrize(
    ("other", "line"),
    [
        (Said("node2", "1", "ModuleNotFoundError: x"), "!! jaxmpi-lint: node2: ModuleNotFoundError: x"),
        (replace(OTHER, version="0.2.0"), "!! jaxmpi-lint: not the same on every host: 0.1.0 on node1, 0.2.0 on node2"),
        (replace(OTHER, switch=""), "!! switch: JAXMPI_SANITIZE does not reach node2: mpirun -x"),
        (replace(OTHER, switch="0"), "!! switch: JAXMPI_SANITIZE does not reach node2: mpirun -x"),
        (replace(OTHER, lacks_switch=True), "!! switch: node2: Python does not read it"),
        (replace(OTHER, options="history=9"), "!! options: not the same on every host: the defaults on node1, history"),
        (replace(OTHER, mistake="unknown option x"), "!! options: node2: unknown option x"),
        (replace(OTHER, sockets="pyzmq is not installed"), "!! sockets: node2: pyzmq is not installed"),
        (replace(OTHER, addresses=()), "!! sockets: node2: no address (option `interface`)"),
    ],
)
def test_each_problem_has_a_line(other: Said, line: str) -> None:
    bad = [one for one in lines([GOOD, other]) if one.startswith("!!")]
    assert len(bad) == 1
    assert bad[0].startswith(line)


def test_many_hosts_with_one_problem_are_one_line() -> None:
    many = [replace(GOOD, host=f"node{at}", sockets="no" if at else "") for at in range(9)]
    assert [one for one in lines(many) if "!!" in one] == ["!! sockets: node1, node2, node3, node4 and 4 more: no"]


@pytest.mark.parametrize(
    ("said", "state", "text"),
    [
        ("checking 4 ranks of X on 2 hosts (a, b); not checked: y", "GOOD", "was checked as one on 2 hosts"),
        (
            "checking 2 ranks of X on a; not checked: agreement with the 2 ranks on other hosts (no name), y",
            "BAD",
            "the hosts are not compared: no name",
        ),
        ("NOT CHECKING: no ledger", "BAD", "NOT CHECKING: no ledger"),
        ("checking 2 ranks of X on a; not checked: y", "BAD", "checking 2 ranks"),
        ("", "BAD", "the sanitizer has said nothing"),
    ],
)
def test_the_first_line_of_a_job_is_understood(
    said: str, state: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = f"noise\njaxmpi-sanitize: {said}\n" if said else "noise\n"
    monkeypatch.setattr(doctor_hosts, "started", lambda *_, **__: (output, ""))
    found = doctor_hosts.together(["mpirun"], 4, 2)
    assert found.state.name == state
    assert text in found.text


def test_what_is_said_is_read_whole() -> None:
    text = host_probe.MARK + json.dumps({"host": "a", "switch": "1", "addresses": ["b"], "later": 1})
    assert list(host_probe.read(text)) == [Said("a", "1", addresses=("b",))]


@pytest.mark.jobs
def test_a_probe_answers_for_its_host() -> None:
    done = subprocess.run([sys.executable, "-c", host_probe.TEXT], capture_output=True, text=True, check=True)
    (said,) = host_probe.read(f"[1,0]<stdout>: {done.stdout.strip()}\n{host_probe.MARK}broken\n")
    assert said.problem == said.sockets == said.mistake == ""
    assert said.version


@pytest.mark.jobs
def test_a_probe_answers_without_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-I", "-c", host_probe.TEXT], capture_output=True, text=True, check=True
    )
    (said,) = host_probe.read(done.stdout)
    assert said.problem.startswith("ModuleNotFoundError")


@pytest.mark.jobs
def test_a_launcher_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main(["--hosts", "false"]) == 1
    assert capsys.readouterr().out.startswith("!! launcher:      false: exit code 1")
    assert doctor.main(["--hosts", "/no/such/launcher"]) == 1
    assert doctor.main(["--hosts", "true"]) == 1
    assert "no process has responded" in capsys.readouterr().out


@pytest.mark.jobs
def test_one_host(capsys: pytest.CaptureFixture[str]) -> None:
    doctor.main(["--hosts", "env", "JAXMPI_SANITIZE=1"])
    assert "-- hosts:         all processes are on one host" in capsys.readouterr().out


def examined(mpi: Environment, two: Hosts, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    first, reaching = two
    variables = {**mpi.variables(), **reaching}
    variables.pop("PRTE_MCA_rmaps_default_mapping_policy", None)
    command = [str(mpi.script("jaxmpi-sanitize")), "doctor", "--hosts", *mpi.launch(4, *words)]
    inside = [*first.entering, "sh", "-c", 'cd "$0" && exec "$@"', str(Path("/var/tmp"))]
    return subprocess.run(
        [*inside, *command], env=variables, capture_output=True, text=True, timeout=200, check=False
    )  # fmt: skip


@pytest.mark.runs_mpi
def test_hosts_that_are_checked_together(mpi: Environment, two_for_all: Hosts) -> None:
    done = examined(mpi, two_for_all, launcher(mpi.library, 4, in_turn=False))
    assert "4 processes on 2 hosts (host1, host2)" in done.stdout, done
    assert "ok together:      a job of 4 ranks was checked as one on 2 hosts" in done.stdout, done
    assert (done.returncode, "!!" in done.stdout) == (0, False), done


@pytest.mark.runs_mpi
def test_a_variable_that_is_not_forwarded(two_for_all: Hosts) -> None:
    """Hydra always forwards the whole environment."""
    words = launcher("openmpi", 4, in_turn=False)
    del words[: words.index("--map-by")]
    done = examined(environment_of("openmpi"), two_for_all, words)
    assert "!! switch:        JAXMPI_SANITIZE does not reach host2: mpirun -x JAXMPI_SANITIZE" in done.stdout, done
    assert done.returncode == 1, done
