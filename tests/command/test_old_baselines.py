"""Baselines of earlier releases: a new wording of the messages leaves them valid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.command import arguments, baseline, cli, report_builder, requests
from jaxmpi_lint.engine.engine import Engine

OLD = Path(__file__).parent / "baselines" / "891e86c.json"
"""Written at that commit by ``--write-baseline --baseline 891e86c.json .`` for ``FILES``."""

FILES = {
    "broken.py": "from mpi4py import MPI\nprint 'rank'\n",
    "solver.py": """\
import os

from mpi4py import MPI

comm = MPI.COMM_WORLD


def save(field, names):
    if comm.rank == 0:
        comm.bcast(field)
        comm.bcast(field)
    if not os.path.exists("out"):
        comm.Barrier()
    for name in {name for name in names}:
        comm.bcast(name)


def steps(field):
    for _ in range(comm.rank):
        comm.allreduce(field)
    if comm.rank == 0:
        raise ValueError("no field")
    return comm.allreduce(
        field,  # the field
    )


def clean():
    os.rmdir("out")


save(1, [])  # noqa: JM101
""",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> report_builder.Project:
    """The programs of the old baseline as they are linted today."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (request,) = requests.requests(arguments.parse(["--no-cache"]))
    engine = Engine(request)
    return report_builder.Project(engine, engine.lint())


def test_an_old_baseline_knows_the_findings_of_today(
    project: report_builder.Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(project.outcome.diagnostics) == 6
    assert cli.main(["--no-cache", "--baseline", str(OLD)]) == 0
    assert "gone" not in capsys.readouterr().err


@pytest.mark.parametrize("path", [OLD, None])
def test_a_baseline_knows_findings_of_other_words_and_each_only_once(
    project: report_builder.Project, path: Path | None, tmp_path: Path
) -> None:
    findings = project.outcome.diagnostics
    texts, _ = report_builder.texts_of(project.engine, project.outcome, findings)
    pairs = [(finding, texts.get(finding.filename, "")) for finding in findings]
    if path is None:
        path = tmp_path / "today.json"
        baseline.write(path, pairs)
    known = baseline.load(path)
    for finding, text in pairs:
        reworded = replace(finding, message=f"new words for {finding.code} on line {finding.start.row}")
        for other in (
            replace(reworded, code="JM999"),
            replace(reworded, filename="other.py"),
            replace(reworded, rows=(1, 1)),
        ):
            assert not known.known(other, text)
        assert known.known(reworded, text)
        assert not known.known(reworded, text)
    assert known.gone == 0
