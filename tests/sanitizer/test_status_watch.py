"""`jaxmpi-sanitize status --watch`."""

from __future__ import annotations

import io

import pytest

from jaxmpi_lint.runtime.commands import status

LINES = [(("job 7", "bold"),), ((" rank 0", ""),), ()]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def _two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter([LINES, LINES, []])
    monkeypatch.setattr(status, "_shown", lambda name: next(looks))


@pytest.mark.usefixtures("_two_looks")
def test_it_is_printed_until_the_job_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert status.main(["--watch", "0.01"]) == 0
    printed = capsys.readouterr().out
    assert printed == "job 7\n rank 0\n\n" * 2 + "the last job has ended\n"


@pytest.mark.usefixtures("_two_looks")
def test_on_a_terminal_it_is_printed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    status.main(["--watch", "0.01"])
    assert terminal.getvalue().count("\x1b[H\x1b[J") == 2


@pytest.mark.parametrize("seconds", ["0", "-1", "soon", "nan"])
def test_seconds_that_make_no_sense(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        status.main([f"--watch={seconds}"])
    assert f"argument --watch: {seconds!r} is no number of seconds; give one such as 2" in capsys.readouterr().err


def test_interruption_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(status, "_shown", lambda name: LINES)
    monkeypatch.setattr("time.sleep", interrupt)
    assert status.main(["--watch"]) == 0
