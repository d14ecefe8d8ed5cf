"""Both sides of failed assertions of JAX, in a note on the exception that does not change it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from types import ModuleType

import pytest

from jaxmpi_lint.runtime.xla.checks.assertions import Asserted, Assertions, note


def call(line: int, values: Mapping[str, str], function: str = "assert_equal", number: int = 0) -> Asserted:
    return Asserted(number, function, values, "/app/train.py", line, "step")


def sync(line: int, name: str) -> Asserted:
    return call(line, {"": repr(name)}, "sync_global_devices")


def test_names_of_both_sides() -> None:
    assert note({0: sync(3, "a"), 1: sync(5, "b"), 2: sync(3, "a")}) == (
        "ranks 0 and 2 call sync_global_devices('a') at /app/train.py:3 in step; "
        "rank 1 calls sync_global_devices('b') at /app/train.py:5 in step"
    )


def test_the_leaf_that_differs() -> None:
    text = note({0: call(3, {"['a']": "1", "['b']": "2"}), 1: call(3, {"['a']": "1", "['b']": "4"})})
    assert text.startswith("rank 0 calls assert_equal(['b']: 2) at ")
    assert "['a']" not in text


def test_an_assertion_beside_a_barrier() -> None:
    text = note({0: sync(3, "a"), 1: call(9, {"": "2"})})
    assert "rank 0 calls sync_global_devices('a')" in text
    assert "rank 1 calls assert_equal(2) at /app/train.py:9" in text


def test_without_a_known_difference_nothing_is_said() -> None:
    assert note({0: sync(3, "a"), 1: sync(3, "a")}) == ""
    assert note({0: sync(3, "a")}) == ""


def test_many_sides_are_counted() -> None:
    assert note({rank: sync(3, str(rank)) for rank in range(9)}).endswith("; and 5 more")


class Exchange:
    """The texts of all processes; this one is rank 0."""

    def __init__(self, *others: str) -> None:
        self.texts: dict[int, str] = dict(enumerate(others, 1))

    def publish(self, key: str, value: str) -> None:
        self.texts[0] = value

    def read(self, key: str) -> Mapping[int, str]:
        return self.texts

    def arrive(self, key: str) -> int:
        raise AssertionError


def library(fails: bool) -> ModuleType:
    """A module like JAX's: one assertion calls the other."""
    module = ModuleType("multihost_utils")

    def assert_equal(in_tree: object, fail_message: str = "") -> None:
        if fails:
            raise AssertionError("Expected: [1 2]; got: 1.")

    def sync_global_devices(name: str) -> None:
        module.assert_equal(hash(name))

    vars(module).update(assert_equal=assert_equal, sync_global_devices=sync_global_devices)
    return module


def watched(module: ModuleType, exchange: Exchange | None) -> ModuleType:
    assertions = Assertions()
    assertions.watch(module)
    if exchange is not None:
        assertions.connect(exchange)
    return module


def test_the_exception_keeps_its_text_and_gets_a_note() -> None:
    other = json.dumps(asdict(sync(7, "epoch 2")))
    module = watched(library(fails=True), Exchange(other))
    with pytest.raises(AssertionError) as caught:
        module.sync_global_devices("epoch 1")
    assert str(caught.value) == "Expected: [1 2]; got: 1."
    (added,) = caught.value.__notes__
    assert added.startswith("jaxmpi-sanitize: rank 0 calls sync_global_devices('epoch 1') at ")
    assert added.endswith("rank 1 calls sync_global_devices('epoch 2') at /app/train.py:7 in step")


def test_an_assertion_that_holds_publishes_once() -> None:
    exchange = Exchange()
    watched(library(fails=False), exchange).sync_global_devices("epoch 1")
    assert json.loads(exchange.texts[0])["values"] == {"": "'epoch 1'"}


@pytest.mark.parametrize("exchange", [None, Exchange(), Exchange("no json")], ids=["alone", "no other", "damaged"])
def test_without_the_other_side_the_exception_is_as_before(exchange: Exchange | None) -> None:
    with pytest.raises(AssertionError) as caught:
        watched(library(fails=True), exchange).sync_global_devices("epoch 1")
    assert getattr(caught.value, "__notes__", []) == []
