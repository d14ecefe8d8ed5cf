"""An exception inside a rule: the other findings are shown, and nothing that is kept takes them for all there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxmpi_lint.command import cli


def _fails(*_: object) -> object:
    raise KeyError("lost")


def test_a_rule_that_fails_takes_no_other_findings_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    monkeypatch.chdir(tmp_path)
    from jaxmpi_lint.rules.jm402_collective_in_del import CollectiveInDel
    from jaxmpi_lint.rules.jm503_result_discarded import ResultDiscarded

    guarded = "from mpi4py import MPI\nif MPI.COMM_WORLD.rank == 0:\n    MPI.COMM_WORLD.Barrier()\n"
    (tmp_path / "a.py").write_text(guarded + "print()  # noqa: JM503\n")
    monkeypatch.setattr(ResultDiscarded, "check_module", _fails)
    monkeypatch.setattr(CollectiveInDel, "check", _fails)
    for _ in range(2):  # the second run must not take the first one's findings for all there are
        status, out, err = run("--output-format", "concise")
        assert status == 2
        assert "JM101" in out
        assert "JM003" not in out
        assert "error: internal error (KeyError: 'lost') in rule JM503 on a.py; its findings there are missing" in err
        assert "error: internal error (KeyError: 'lost') in rule JM402; its findings are missing" in err
        assert "1 not analysed" in out + err
    assert "in _fails" in run("--verbose")[2]
    assert run("--write-baseline")[0] == 2
    assert not list(tmp_path.glob("*baseline*"))


@pytest.mark.jobs
def test_functions_that_call_each_other_in_a_long_chain_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    count = 1100
    chain = "".join(f"def f{number}(comm):\n    return f{number + 1}(comm)\n\n\n" for number in range(count))
    end = f"def f{count}(comm):\n    comm.Barrier()\n    return comm.rank\n\n\n"
    used = "if f0(MPI.COMM_WORLD) == 0 or MPI.COMM_WORLD.rank == 0:\n    MPI.COMM_WORLD.Barrier()\n"
    (tmp_path / "a.py").write_text("from mpi4py import MPI\n\n\n" + chain + end + used)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["--no-cache", "--isolated", "--output-format", "concise"]) == 1
    captured = capsys.readouterr()
    assert "JM101" in captured.out
    assert "internal error" not in captured.err
