"""What hosts have launched, held side by side as they tell it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from jaxmpi_lint.runtime.ledger.sequences import Kept
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.hosts import bulletin
from jaxmpi_lint.runtime.xla.hosts.bulletin import Launched
from jaxmpi_lint.runtime.xla.hosts.windows import Windows

SET, OTHER_SET = 11, 12


def launched(pairs: Sequence[tuple[int, int]], first: int = 0, items: Sequence[int] = ()) -> Launched:
    words = [(*pair, items[place] if items else 0) for place, pair in enumerate(pairs)]
    return Launched(first, b"".join(struct.pack("<QQQ", *three) for three in words))


def compare(windows: Windows, mine: Launched, theirs: Launched) -> list[tuple[str, int, int]]:
    return list(windows.compare({"a": {SET: mine}, "b": {SET: theirs}}))


def test_equal_launches_are_silent_however_far_a_host_is_ahead() -> None:
    windows = Windows()
    same = [(number % 3 + 1, 7) for number in range(100)]
    assert compare(windows, launched(same), launched(same[:40])) == []
    assert compare(windows, launched(same[20:], 20), launched(same)) == []
    assert windows.missed == 0


def test_first_difference_of_collectives_is_told_once() -> None:
    windows = Windows()
    mine, theirs = [(1, 7)] * 10, [(1, 7)] * 4 + [(2, 7)] * 6
    assert compare(windows, launched(mine), launched(theirs)) == [("collectives", SET, 4)]
    assert compare(windows, launched(mine * 2), launched(theirs * 2)) == []


def test_each_other_program_is_told_once() -> None:
    windows = Windows()
    mine, theirs = [(1, 7), (1, 8), (1, 7), (1, 8)], [(1, 7), (1, 9), (1, 6), (1, 9)]
    assert compare(windows, launched(mine), launched(theirs)) == [("program", SET, 1), ("program", SET, 2)]


def test_other_items_of_one_choice_are_told_once() -> None:
    one, other, of_another, unknown = 0x5_000001, 0x5_000003, 0x6_000003, 0
    mine, theirs = [one, one, one, one, one], [one, unknown, of_another, other, other]
    same = [(1, 7)] * 5
    assert compare(Windows(), launched(same, items=mine), launched(same, items=theirs)) == [("item", SET, 3)]


def test_unknown_programs_agree_with_any() -> None:
    assert compare(Windows(), launched([(1, 0), (1, 7)]), launched([(1, 7), (1, 0)])) == []


def test_what_came_too_fast_is_counted_and_not_judged() -> None:
    windows = Windows()
    assert compare(windows, launched([(1, 7)] * 4), launched([(1, 7)] * 4)) == []
    assert compare(windows, launched([(2, 7)] * 4, 10), launched([(2, 7)] * 4, 10)) == []
    assert windows.missed == 6
    assert compare(windows, launched([(0, 0), (3, 7)], 14), launched([(1, 7), (3, 7)], 14)) == []
    assert windows.missed == 7


def test_only_sets_that_both_hosts_launch_on_are_compared() -> None:
    hosts = {"a": {SET: launched([(1, 7)])}, "b": {OTHER_SET: launched([(2, 7)])}}
    assert list(Windows().compare(hosts)) == []


def test_third_host_is_compared_too() -> None:
    hosts = {name: {SET: launched([(1, 7), (value, 7)])} for name, value in (("a", 1), ("b", 1), ("c", 2))}
    assert list(Windows().compare(hosts)) == [("collectives", SET, 1)]


def test_texts_for_the_store_are_read_as_they_were_written() -> None:
    content = {"host": "node", "processes": [], "text": "ü\n" * 100}
    text = bulletin.packed(7, content)
    assert text.startswith("7\n") and text.isascii()
    assert bulletin.unpacked(text) == (7, content)
    with pytest.raises(ValueError, match=r".+"):
        bulletin.unpacked("7\nnonsense")
    kept = Kept((("all-reduce", Site("a.py", 3, "f")), ("all-gather", None)), "module")
    assert bulletin.kept_read(bulletin.kept_written(kept)) == kept
