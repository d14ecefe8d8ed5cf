"""What a process says to those of other hosts before it launches, with a store that is only a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("jaxmpi_lint.runtime._native")

from jaxmpi_lint.runtime.xla.hosts.agreement import (
    AGREED,
    OTHER_COLLECTIVES,
    OTHER_ITEM,
    OTHER_PROGRAM,
    Agreement,
)


class Texts:
    """A store, until it breaks."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.broken = False

    def put(self, key: str, text: str) -> None:
        if self.broken:
            raise RuntimeError("UNAVAILABLE: the coordinator is gone\nmore")
        self.texts[key] = text

    def get(self, key: str) -> str | None:
        return self.texts.get(key)

    def all(self, folder: str) -> Mapping[str, str]:
        return {key.rpartition("/")[2]: text for key, text in self.texts.items() if key.startswith(f"{folder}/")}

    def remove(self, key: str) -> None:
        del self.texts[key]


@pytest.fixture
def store() -> Texts:
    return Texts()


def agreement(store: Texts, process: int, said: list[str]) -> Agreement:
    return Agreement(store, process, 2, str(Path("nowhere")), None, said.append)


def test_the_second_to_come_hears_the_first(store: Texts) -> None:
    first, second = agreement(store, 0, []), agreement(store, 1, [])
    answers = []
    item, other_item, of_others, unknown = 0x1_000001_0000, 0x1_000003_0000, 0x2_000003_0000, 0
    said = [(5, 7, item), (5, 8, item), (6, 7, other_item), (5, 8, other_item), (5, 7, of_others), (5, 7, unknown)]
    for number, (signature, program, chosen) in enumerate(said):
        assert first.ask(1, number, 5, 7, item, (0, 1)) == AGREED
        answers.append(second.ask(1, number, signature, program, chosen, (0, 1)))
    assert answers == [AGREED, OTHER_PROGRAM, OTHER_COLLECTIVES, OTHER_ITEM, AGREED, AGREED]


def test_what_nobody_reads_any_more_is_removed(store: Texts) -> None:
    only = agreement(store, 0, [])
    for number in range(500):
        only.ask(1, number, 5, 7, 0, (0, 1))
    assert len(store.texts) < 100


def test_a_store_that_breaks_is_told_once(store: Texts) -> None:
    said: list[str] = []
    only = agreement(store, 1, said)
    store.broken = True
    assert [only.ask(1, number, 5, 7, 0, (0, 1)) for number in range(3)] == [AGREED] * 3
    (line,) = said
    assert "rank 1 stopped comparing launches with other hosts" in line, line
    assert line.endswith("(UNAVAILABLE: the coordinator is gone)"), line
