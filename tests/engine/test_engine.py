"""One project from files to findings."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from jaxmpi_lint import testing
from jaxmpi_lint.command import report_builder
from jaxmpi_lint.engine import fix_loop, parser_pool
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.parser_pool import Job, Parser
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.rules.jm003_unused_suppression import UnusedSuppression
from jaxmpi_lint.rules.jm101_collective_in_rank_branch import CollectiveInRankBranch
from jaxmpi_lint.settings.settings import Settings

BRANCH = "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nif comm.Get_rank() == 0:\n    comm.bcast(1)\n"


def engine(root: Path, *given: str, **settings: Any) -> Engine:
    paths = tuple(root / name for name in given) or (root,)
    return Engine(Request(Settings(root=root, no_cache=True, **settings), paths, str(root)))


def found(diagnostics: Any) -> list[tuple[str, int, str]]:
    return [(d.filename, d.start.row, d.code) for d in diagnostics]


def test_only_what_is_given_is_reported_but_the_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("from mpi4py import MPI\n\ndef share(x):\n    return MPI.COMM_WORLD.bcast(x)\n")
    (tmp_path / "app.py").write_text(
        "from mpi4py import MPI\nfrom tools import share\n\nif MPI.COMM_WORLD.Get_rank() == 0:\n    share(1)\n"
    )
    outcome = engine(tmp_path, "app.py").lint()
    assert found(outcome.diagnostics) == [("app.py", 5, "JM101")]
    assert outcome.files == 1
    assert engine(tmp_path, "tools.py").lint().diagnostics == ()


def test_an_importer_without_a_word_of_mpi_is_linted(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text(
        "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\n\ndef share(x):\n    return comm.bcast(x)\n\n"
        "def is_master():\n    return comm.Get_rank() == 0\n"
    )
    (tmp_path / "app.py").write_text("from tools import is_master, share\n\nif is_master():\n    share(1)\n")
    assert found(engine(tmp_path).lint().diagnostics) == [("app.py", 4, "JM101")]


@pytest.mark.parametrize("code", ["JM101", "JM106", "JM102", "JM601"])
def test_any_code_of_the_group_silences_the_finding(code: str) -> None:
    text = BRANCH.replace("comm.bcast(1)", f"comm.bcast(1)  # noqa: {code}")
    assert testing.lint({"a.py": text}, [CollectiveInRankBranch]) == []


def test_a_code_of_another_group_does_not() -> None:
    text = BRANCH.replace("comm.bcast(1)", "comm.bcast(1)  # noqa: JM301")
    assert found(testing.lint({"a.py": text}, [CollectiveInRankBranch])) == [("a.py", 4, "JM101")]


def test_a_comment_that_silenced_something_is_not_idle() -> None:
    text = BRANCH.replace("comm.bcast(1)", "comm.bcast(1)  # noqa: JM101") + "comm.Barrier()  # noqa: JM101\n"
    rules = [CollectiveInRankBranch, UnusedSuppression]
    assert found(testing.lint({"a.py": text}, rules)) == [("a.py", 5, "JM003")]


@pytest.mark.parametrize("comment", ["# noqa: JM101", "# jaxmpi-lint: ignore[JM101] why"])
def test_a_comment_on_the_branch_that_is_shown_silences_the_finding_and_is_not_idle(comment: str) -> None:
    rules = [CollectiveInRankBranch, UnusedSuppression]
    text = BRANCH.replace("== 0:", f"== 0:  {comment}")
    assert testing.lint({"a.py": text}, rules) == []
    long = BRANCH.replace("if comm.Get_rank() == 0:", f"if (  {comment}\n    comm.Get_rank() == 0\n):")
    assert testing.lint({"a.py": long}, rules) == []
    elsewhere = text.replace("comm = ", f"if comm:  {comment}\n    pass\ncomm = ")
    assert found(testing.lint({"a.py": elsewhere}, rules)) == [("a.py", 2, "JM003")]


def test_a_bare_comment_on_the_branch_silences_only_that_row() -> None:
    text = BRANCH.replace("== 0:", "== 0:  # noqa")
    assert found(testing.lint({"a.py": text}, [CollectiveInRankBranch])) == [("a.py", 4, "JM101")]


def test_comments_in_functions_that_are_too_large_are_not_called_unused() -> None:
    branches = "".join(f"    if x == {index}:\n        x = x + 1\n" for index in range(600))
    text = f"from mpi4py import MPI\n\n\ndef run(comm, x):\n{branches}    comm.Barrier()  # noqa: JM101\n"
    rules = [CollectiveInRankBranch, UnusedSuppression]
    assert found(testing.lint({"a.py": text}, rules)) == []
    assert found(testing.lint({"a.py": f"{text}\n\nx = 1  # noqa: JM101\n"}, rules)) == [("a.py", 1208, "JM003")]


def test_a_comment_for_a_rule_that_did_not_run_is_left_alone() -> None:
    assert testing.lint({"a.py": "import mpi4py  # noqa: JM101\n"}, [UnusedSuppression]) == []


def test_a_comment_that_is_misspelt_is_told() -> None:
    (diagnostic,) = testing.lint({"a.py": "import mpi4py  # jaxmpi-lint: ignor[JM101]\n"}, [UnusedSuppression])
    assert "did you mean `ignore`" in diagnostic.message


def test_suppressed_findings_are_kept_with_their_reason(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        BRANCH.replace("comm.bcast(1)", "comm.bcast(1)  # jaxmpi-lint: ignore[JM101] on purpose")
    )
    outcome = engine(tmp_path).lint()
    assert outcome.diagnostics == ()
    assert [(item.diagnostic.code, item.reason) for item in outcome.suppressed] == [("JM101", "on purpose")]


def notebook(*cells: str) -> str:
    listed = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(True)} for cell in cells]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def test_a_finding_in_a_notebook_counts_cells_and_its_repair_stays_inside(tmp_path: Path) -> None:
    idle = "MPI.COMM_WORLD.Barrier()  # noqa: JM002\n"
    path = tmp_path / "book.ipynb"
    path.write_text(notebook("%matplotlib inline\nfrom mpi4py import MPI\n", f"x = 1\n{idle}", f"{idle}y = 2\n"))
    own = engine(tmp_path)
    outcome = own.lint()
    assert [(d.cell, d.start.row, d.code) for d in outcome.diagnostics] == [(2, 2, "JM003"), (3, 1, "JM003")]
    repaired = fix_loop.repair(own, outcome, False, lambda left: list(left.diagnostics))
    cells = json.loads(repaired.contents[str(path)])["cells"]
    assert ["".join(cell["source"]) for cell in cells] == [
        "%matplotlib inline\nfrom mpi4py import MPI\n",
        "x = 1\nMPI.COMM_WORLD.Barrier()\n",
        "MPI.COMM_WORLD.Barrier()\ny = 2\n",
    ]
    assert repaired.outcome.diagnostics == ()


@pytest.mark.jobs
def test_a_pool_gives_the_same_results_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [Job(f"/p/{i}.py", f"m{i}", False, BRANCH.replace("1", str(i)).encode()) for i in range(5)]
    jobs.append(Job("/p/bad.py", "bad", False, b"def f(:\n"))
    alone, pooled = Parser(jobs=1), Parser(jobs=2)
    alone.parse(jobs)
    monkeypatch.setattr(parser_pool, "POOL_LINES", 0)
    monkeypatch.setattr(parser_pool, "CHUNK_LINES", 5)
    pooled.parse(jobs)
    assert list(pooled.results) == list(alone.results)
    for path, result in alone.results.items():
        other = pooled.results[path]
        assert (other.problem, other.source) == (result.problem, result.source)
        assert (other.parsed and other.parsed.module) == (result.parsed and result.parsed.module)


def test_a_second_reading_parses_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text(BRANCH)
    (tmp_path / "b.py").write_text(BRANCH)
    own = engine(tmp_path)
    own.lint()
    parsed: list[str] = []
    parse = parser_pool.parse_one

    def watched(job: Job, rules: Any) -> Any:
        parsed.append(os.path.basename(job.path))
        return parse(job, rules)

    monkeypatch.setattr(parser_pool, "parse_one", watched)
    own.analyse({str(tmp_path / "b.py"): b"from mpi4py import MPI\n"})
    assert parsed == ["b.py"]


def test_a_file_that_cannot_be_opened_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxmpi_lint.engine import reader

    (tmp_path / "a.py").write_text(BRANCH)

    def refuse(entry: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reader, "_content", refuse)
    (diagnostic,) = engine(tmp_path).lint().diagnostics
    assert (diagnostic.code, diagnostic.message) == ("JM002", "not analysed: permission denied")


def test_findings_below_the_least_confidence_are_not_wanted() -> None:
    settings = Settings(root=Path())
    (diagnostic,) = testing.lint({"a.py": BRANCH}, [CollectiveInRankBranch])
    assert report_builder.wanted([diagnostic], settings) == [diagnostic]
    assert report_builder.wanted([_with(diagnostic, "low")], settings) == []


def _with(diagnostic: Diagnostic, confidence: str) -> Diagnostic:
    from dataclasses import replace

    from jaxmpi_lint.findings.diagnostics import Confidence

    return replace(diagnostic, confidence=Confidence(confidence))
