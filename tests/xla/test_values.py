"""Checks around functions that all processes call together: real processes, JAX's own key-value store."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.checks import calls, replicas
from jaxmpi_lint.runtime.xla.checks.calls import Leaf, Said

from .conftest import PROGRAMS
from .jobs import Process, run

Told = dict[str, list[list[Any]]]
SILENT = (
    "allgather", "mixed precision of the host", "broadcast", "broadcast from 1", "hidden", "names of devices",
    "local data", "of any shape", "replicated", "own devices", "on one process only", "surroundings",
)  # fmt: skip


def outcome(process: Process) -> dict[str, Any]:
    assert process.status == 0, process.text
    answer: dict[str, Any] = json.loads(process.text.splitlines()[-1])
    return answer


@pytest.fixture(scope="module")
def right() -> list[dict[str, Any]]:
    """What both processes of a job say that makes no mistakes, and then some about contents."""
    return [outcome(process) for process in run("values", 2, "right")]


def told_by_either(answers: list[dict[str, Any]]) -> Told:
    """What was told of each case; of two processes one tells, or both the same."""
    merged: Told = {}
    for answer in answers:
        for case, told in answer["cases"].items():
            merged[case] = merged.get(case) or told
    return merged


@pytest.mark.runs_jax
def test_right_programs_are_silent(right: list[dict[str, Any]]) -> None:
    for answer in right:
        assert {case: answer["cases"][case] for case in SILENT} == {case: [] for case in SILENT}
        known = answer["cases"]["known"]
        assert known["processes"] == "2"
        assert {"jax", "jaxlib", "jax_enable_x64", "platform", "local devices", "jax_default_prng_impl"} <= set(known)


@pytest.mark.runs_jax
def test_contents_are_compared_up_to_a_size_and_not_if_switched_off(right: list[dict[str, Any]]) -> None:
    told = told_by_either(right)
    codes = {case: [finding[0] for finding in told[case]] for case in ("larger", "small", "off")}
    assert codes == {"larger": [], "small": ["JS506"], "off": []}


@pytest.mark.runs_jax
def test_an_exchange_that_fails_ends_the_checks_loudly_and_not_the_program(right: list[dict[str, Any]]) -> None:
    for answer in right:
        assert answer["complaints"] == [
            "arguments of JAX's multihost functions are no longer compared: broadcast_one_to_all: UNAVAILABLE: the "
            "coordinator has gone"
        ]
        assert (answer["cases"]["goes on"], answer["cases"]["and is silent"]) == ([], [])


@pytest.mark.runs_jax
def test_what_does_not_fit_is_told_before_it_is_exchanged() -> None:
    answers = [outcome(process) for process in run("values", 2, "wrong")]
    assert [answer["complaints"] for answer in answers] == [[], []]
    told = told_by_either(answers)
    needs = "needs the same shapes and dtypes from every process:"
    copies = "ranks 0 and 1 hold different replicas of one"
    assert {case: [finding[:3] for finding in found] for case, found in told.items()} == {
        "shapes": [["JS505", "error", f"process_allgather {needs} float32[3] on rank 0, float32[4] on rank 1"]],
        "types": [["JS505", "error", f"process_allgather {needs} float32[3] on rank 0, int32[3] on rank 1"]],
        "in a tree": [["JS505", "error", f"process_allgather {needs} ['b'] is float32[2,3] on rank 0, float32[2,4] on "
                       "rank 1"]],
        "number": [["JS505", "error", "broadcast_one_to_all needs the same arrays from every process: 1 array on "
                    "rank 0, 0 on rank 1"]],
        "names": [["JS505", "warning", "the trees passed to broadcast_one_to_all have different names: ['a'] on "
                   "rank 0, ['b'] on rank 1"]],
        "broadcast": [["JS505", "error", f"broadcast_one_to_all {needs} float32[3] on rank 0, float32[4] on rank 1"]],
        "sources": [["JS505", "error", "ranks 0 and 1 are both the source of one broadcast_one_to_all: their values "
                     "are summed"]],
        "local data": [["JS505", "warning", "make_array_from_process_local_data makes float32[8] on rank 0 and "
                        "float32[16] on rank 1"]],
        "last batch": [["JS505", "warning", "make_array_from_process_local_data makes float32[16] on rank 0 and "
                        "float32[8] on rank 1"]],
        "replicated": [["JS506", "warning", f"{copies} int32[4] from make_array_from_process_local_data"]],
        "by callback": [["JS506", "warning", f"{copies} float32[4] from make_array_from_callback"]],
        "inside": [["JS505", "error", f"process_allgather {needs} float32[3] on rank 0, float32[4] on rank 1"]],
        "given shape": [],
    }  # fmt: skip
    source = (PROGRAMS / "values.py").read_text(encoding="utf-8").splitlines()
    (line,) = [number for number, text in enumerate(source, 1) if 'case("sources"' in text]
    assert told["sources"][0][3] == [line, line]
    (line,) = [number for number, text in enumerate(source, 1) if text.endswith("# inside")]
    assert told["inside"][0][3:] == [[line, line], "process_allgather inside device_put, float32[3]"]


def call(process: int, *leaves: Leaf, source: bool = False, local: str = "") -> Said:
    return calls.said(process, 1, Site("a.py", 3, "f"), leaves, source, local)


def test_what_is_said_can_be_read_again() -> None:
    one = call(1, ("['w']", "float32[2]"), ("['x']", "int32[]"), source=True, local="float32[1]")
    assert calls.read(one.written()) == one


def test_long_trees_are_compared_as_a_whole() -> None:
    many = [(f"[{n}]", "float32[]") for n in range(5000)]
    one, other = call(0, *many), call(1, *many[:-1], ("[4999]", "int32[]"))
    assert len(one.written()) < 5000
    found = calls.disagreement("process_allgather", one, other)
    assert found is not None
    assert "after the first 100" in found.message
    assert calls.disagreement("process_allgather", one, call(1, *many)) is None


def test_the_same_types_of_other_bytes_are_explained() -> None:
    found = calls.disagreement("process_allgather", call(0, ("", "float32[3]")), call(1, ("", "int32[3]")))
    assert found is not None
    assert "the bytes of one dtype are silently read as the other" in found.notes[0]
    assert [side.call for side in found.sides] == ["process_allgather, float32[3]", "process_allgather, int32[3]"]


def test_a_local_shape_that_gives_the_same_array_is_right() -> None:
    one, other = call(0, ("0", "float32[8]"), local="float32[4]"), call(1, ("0", "float32[8]"), local="float32[8]")
    assert calls.other_array("make_array_from_process_local_data", one, other) is None


def test_only_parts_that_both_hold_are_compared() -> None:
    site = Site("a.py", 3, "f")
    mine, theirs = {"[0:2]": "aa", "[2:4]": "bb"}, {"[2:4]": "cc", "[4:6]": "dd"}
    texts = {0: replicas.written(mine, site), 3: replicas.written(theirs, site)}
    found = replicas.disagreement("f", "float32[6]", 3, texts)
    assert found is not None
    assert found.message == "ranks 0 and 3 hold different replicas of one float32[6] from f at [2:4]"
    assert replicas.disagreement("f", "float32[6]", 3, texts | {0: replicas.written({"[0:2]": "aa"}, site)}) is None
