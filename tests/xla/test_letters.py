"""Findings on their way from a process to the monitor."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.findings.finding import Finding, Side, Step
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.hosts import sent_findings

FINDING = Finding(
    "JS505",
    "process_allgather needs the same shapes: “ä” on rank 0",
    (0, 1),
    (
        Side((0,), "process_allgather, float32[3]", Site("a.py", 3, "f")),
        Side((1,), "", None, "differs", odd=True, text="x\ny"),
    ),
    notes=("one", "two"),
    remedy="do it",
    error=True,
)


def test_a_finding_arrives_as_it_was_sent(tmp_path: Path) -> None:
    sent_findings.Sender(tmp_path).send(FINDING)
    receiver = sent_findings.Receiver(tmp_path)
    (letter,) = receiver.letters()
    assert replace(letter.finding, when=0.0) == FINDING
    assert list(receiver.letters()) == []


def test_findings_arrive_in_order(tmp_path: Path) -> None:
    sender, receiver = sent_findings.Sender(tmp_path), sent_findings.Receiver(tmp_path)
    for number in range(12):
        sender.send(Finding("JS504", str(number), (number,)))
    assert [letter.finding.message for letter in receiver.letters()] == [str(number) for number in range(12)]
    sender.send(Finding("JS504", "later", (0,)))
    assert [letter.finding.message for letter in receiver.letters()] == ["later"]


def test_a_process_waits_for_the_answer_and_no_longer(tmp_path: Path) -> None:
    sender, receiver = sent_findings.Sender(tmp_path), sent_findings.Receiver(tmp_path)
    place = sender.send(FINDING)
    assert sender.answered(place, 0.05) is None
    (letter,) = receiver.letters()
    threading.Timer(0.1, letter.answer, [sent_findings.RAISE]).start()
    assert sender.answered(place, 30.0) == sent_findings.RAISE


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    assert sent_findings.Sender(tmp_path).send(FINDING).stat().st_mode & 0o777 == 0o600


def test_what_only_the_monitor_finds_is_no_letter() -> None:
    with pytest.raises(ValueError, match="JS201"):
        sent_findings.written(Finding("JS201", "deadlock", (0,), steps=(Step((0,), "", None, "for", (1,)),)))
