"""Branches with collectives: a divergence is reported only where the predicate follows from the device's number."""

from __future__ import annotations

import pytest

from jaxmpi_lint.runtime.xla.programs import branches, hlo
from jaxmpi_lint.runtime.xla.programs.scalars import Scalars

TEXT = """\
HloModule jit_f, num_partitions=4

%sum (a: f32[], b: f32[]) -> f32[] {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %add.0 = f32[] add(%a, %b)
}}

%without (p.0: f32[2]) -> f32[2] {{
  ROOT %p.0 = f32[2]{{0}} parameter(0)
}}

%with (p.1: f32[2]) -> f32[2] {{
  %p.1 = f32[2]{{0}} parameter(0)
  ROOT %psum = f32[2]{{0}} all-reduce(%p.1), channel_id=1, replica_groups={groups}, to_apply=%sum
}}

%fused (q.0: u32[], q.1: s32[]) -> s32[] {{
  %q.0 = u32[] parameter(0)
  %q.1 = s32[] parameter(1)
  %zero = s32[] constant(0)
  %two = u32[] constant(2)
  %row = u32[] divide(%q.0, %two)
  %column = u32[] remainder(%q.0, %two)
  %own = s32[] convert(%{part})
  %same = pred[] compare(%own, %{other}), direction=EQ
  ROOT %index = s32[] convert(%same)
}}

ENTRY %main (x: f32[2], n: s32[]) -> f32[2] {{
  %x = f32[2]{{0}} parameter(0)
  %n = s32[] parameter(1)
  %id = u32[] partition-id()
  %predicate = s32[] fusion(%id, %n), kind=kLoop, calls=%fused
  ROOT %result = f32[2]{{0}} conditional(%predicate, %x, %x), branch_computations={{%without, %{taken}}}
}}
"""
ALL, ROWS = "{{0,1,2,3}}", "{{0,1},{2,3}}"
CASES = [
    pytest.param(ALL, "row", "zero", "with", {0: 1, 1: 1, 2: 0, 3: 0}, id="one group, two branches"),
    pytest.param(ROWS, "column", "zero", "with", {0: 1, 1: 0}, id="within a row"),
    pytest.param(ROWS, "row", "zero", "with", None, id="each row takes one branch"),
    pytest.param(ALL, "row", "q.1", "with", None, id="compared with data"),
    pytest.param(ALL, "row", "zero", "without", None, id="no collective"),
]  # fmt: skip


@pytest.mark.parametrize(("groups", "part", "other", "taken", "expected"), CASES)
def test_divergence(groups: str, part: str, other: str, taken: str, expected: dict[int, int] | None) -> None:
    found = branches.divergence(TEXT.format(groups=groups, part=part, other=other, taken=taken))
    assert (found.branches if found else None) == expected
    if found:
        assert (found.branch, found.collective.kind) == (1, "all-reduce")


def test_equal_collectives_in_both_branches_are_silent() -> None:
    text = TEXT.format(groups=ALL, part="row", other="zero", taken="with").replace("{%without, ", "{%with, ")
    assert branches.divergence(text) is None


OPERATIONS = [
    ("s32[] divide(%m7, %two)", -3), ("s32[] remainder(%m7, %two)", -1), ("u32[] subtract(%two, %three)", 2**32 - 1),
    ("s32[] negate(%two)", -2), ("pred[] not(%true)", 0), ("s32[] shift-left(%two, %three)", 16),
    ("s32[] shift-right-logical(%m7, %two)", None), ("s32[] clamp(%two, %m7, %three)", 2),
    ("s32[] select(%true, %two, %three)", 2), ("f32[] add(%two, %three)", None), ("s32[] divide(%two, %zero)", None),
    ("s32[1]{0} dynamic-slice(%table, %three), dynamic_slice_sizes={1}", (8,)), ("s32[] popcnt(%two)", None),
    ("s32[] sign(%m7)", -1), ("pred[] compare(%m7, %two), direction=LT", 1), ("u32[] convert(%m7)", 2**32 - 7),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "value"), OPERATIONS)
def test_value(operation: str, value: object) -> None:
    constants = {"two": 2, "three": 3, "zero": 0, "m7": -7}
    lines = [f"  %{name} = s32[] constant({number})" for name, number in constants.items()]
    lines += [
        "  %true = pred[] constant(true)",
        "  %table = s32[4]{0} constant({5, 6, 7, 8})",
        f"  ROOT %r = {operation}",
    ]
    assert Scalars(hlo.Module("", {"main": lines}, "main"), 0).value("main", "r") == value
