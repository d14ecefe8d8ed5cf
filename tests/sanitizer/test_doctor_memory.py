"""What `jaxmpi-sanitize doctor` says of the ledger's size in shared memory."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from jaxmpi_lint.runtime.commands import doctor
from jaxmpi_lint.runtime.commands.answers import State

_native = pytest.importorskip("jaxmpi_lint.runtime._native")
RANKS, HISTORY, COMMUNICATORS = doctor.RANKS_TO_PLAN_FOR, 4096, 512
PART = 32  # bytes of a part that is exchanged with another host


def has_free(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=size, f_frsize=1))
    monkeypatch.setattr(os, "access", lambda *_: True)


def size(other_hosts: bool, history: int = HISTORY) -> int:
    found: int = _native.ledger_size(RANKS, history, COMMUNICATORS, other_hosts)
    return found


def mebibytes(size: int) -> str:
    return f"{-(-size // 2**20)} MiB"


def test_only_a_job_on_several_hosts_keeps_parts_for_other_hosts() -> None:
    assert size(True) - size(False) == RANKS * HISTORY * PART


def test_both_sizes_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAXMPI_SANITIZE_OPTIONS", raising=False)
    has_free(monkeypatch, 1 << 40)
    answer = doctor.memory()
    assert answer.state is State.GOOD
    assert mebibytes(size(False)) != mebibytes(size(True))
    assert answer.text == (
        f"{1 << 20} MiB free in /dev/shm; 8 ranks of a job on one host need {mebibytes(size(False))}, of a job on "
        f"several hosts {mebibytes(size(True))}"
    )


def test_what_suffices_for_one_host_is_not_called_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAXMPI_SANITIZE_OPTIONS", raising=False)
    has_free(monkeypatch, size(False))
    answer = doctor.memory()
    assert answer.state is State.GOOD
    assert answer.text.endswith("MiB, for which the ledger will be a regular file")
    has_free(monkeypatch, size(False) - 1)
    answer = doctor.memory()
    assert answer.state is State.ABSENT
    assert answer.text.endswith("MiB; the ledger will be a regular file")


def test_the_options_count(monkeypatch: pytest.MonkeyPatch) -> None:
    has_free(monkeypatch, 1 << 40)
    monkeypatch.setenv("JAXMPI_SANITIZE_OPTIONS", "history=65536")
    assert f"one host need {mebibytes(size(False, history=65536))}, " in doctor.memory().text
    monkeypatch.setenv("JAXMPI_SANITIZE_OPTIONS", "history=none")  # reported by another line
    assert f"one host need {mebibytes(size(False))}, " in doctor.memory().text
