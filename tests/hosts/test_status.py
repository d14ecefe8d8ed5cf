"""`jaxmpi-sanitize status` of a job on several hosts."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest
from sanitizer.cases import program
from sanitizer.environments import Environment

from jaxmpi_lint.runtime.findings.report import Line
from jaxmpi_lint.runtime.hosts import inquiries

from .conftest import Hosts
from .jobs import run_on_two

LINES: list[Line] = [(("job 7", "bold"), ("  4 ranks", "dim")), (), (("  0-3", ""),)]


def test_a_question_is_answered_once(tmp_path: Path) -> None:
    inquiries.answer(tmp_path, lambda: pytest.fail("nobody has asked"))
    asked: list[list[Line] | None] = []
    asking = threading.Thread(target=lambda: asked.append(inquiries.ask(tmp_path, 10)))
    asking.start()
    question = tmp_path / inquiries.QUESTION
    while not (question.exists() and question.stat().st_size):  # it is there before its text is
        time.sleep(0.001)
    inquiries.answer(tmp_path, lambda: LINES)
    asking.join()
    assert asked == [LINES]
    assert (tmp_path / inquiries.ANSWER).stat().st_mode & 0o077 == 0
    inquiries.answer(tmp_path, lambda: pytest.fail("it is answered already"))


def test_an_answer_to_another_question_is_none(tmp_path: Path) -> None:
    (tmp_path / inquiries.ANSWER).write_text('{"names": ["another"], "lines": []}')
    assert inquiries.ask(tmp_path, 0.2) is None
    (tmp_path / inquiries.ANSWER).write_text("not JSON")
    assert inquiries.ask(tmp_path, 0.2) is None


def test_questions_at_the_same_time_are_all_answered(tmp_path: Path) -> None:
    asked: list[list[Line] | None] = []
    asking = [threading.Thread(target=lambda: asked.append(inquiries.ask(tmp_path, 20))) for _ in range(8)]
    for one in asking:
        one.start()
    while any(one.is_alive() for one in asking):
        inquiries.answer(tmp_path, lambda: LINES)
        time.sleep(0.01)
    assert asked == [LINES] * 8


def test_an_answer_that_was_replaced_by_a_later_one_counts(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / inquiries.QUESTION).write_text(f"{name}\n")
        inquiries.answer(tmp_path, lambda: LINES)
    assert json.loads((tmp_path / inquiries.ANSWER).read_text())["names"] == ["first", "second"]


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    assert inquiries.ask(tmp_path / "gone", 10) is None
    inquiries.answer(tmp_path / "gone", lambda: pytest.fail("nobody can ask"))


ASKING = program("""
    import subprocess, sys
    def status():
        command = [sys.executable, "-m", "jaxmpi_lint.runtime.commands.command", "status"]
        done = subprocess.run(command, env=os.environ | {"JAXMPI_SANITIZE": "0"}, capture_output=True, text=True)
        return done.stdout + done.stderr
    comm.Barrier()
    if rank == 2:
        print("REST", status(), flush=True)
        comm.send(1, dest=0)
    if rank == 0:
        comm.recv(source=2)
        print("ROOT", status(), flush=True)
        comm.send(1, dest=1)
    if rank == 1:
        comm.recv(source=0)
    comm.Barrier()
    """)


@pytest.mark.runs_mpi
def test_the_host_of_rank_0_shows_all_ranks(mpi: Environment, two: Hosts) -> None:
    result = run_on_two(mpi, two, ASKING, 4)
    assert result.status == 0, str(result)
    rest, _, root = result.out.partition("ROOT")
    assert "2 ranks of 4 on " in rest, str(result)
    assert "run this command on the host of rank 0" in rest, str(result)
    assert "  4 ranks on 2 hosts" in root, str(result)
    assert "  ranks 2 and 3  in Barrier() for " in root, str(result)
    assert "<- wait for ranks 0 and 1" in root, str(result)
