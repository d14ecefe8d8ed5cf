"""Collectives in a branch that devices take differently: an error where it is proved, else a note when it stalls."""

from __future__ import annotations

import pytest

from .cases import ARRAY
from .jobs import lines_of, run

pytestmark = pytest.mark.runs_jax

POSITION = ARRAY + (
    "def f(x):\n    first = jax.lax.axis_index('x') == 0\n"
    "    return jax.lax.cond(first, lambda x: jax.lax.psum(x, 'x'), lambda x: x, x)  # both\n"
    "y = mapped(f, P('x'))(x)\nprint(y.addressable_data(0), flush=True)\n"
)
SAME = POSITION.replace("lambda x: x, x)", "lambda x: jax.lax.psum(2 * x, 'x'), x)")
DATA = POSITION.replace("first = jax.lax.axis_index('x') == 0", "first = x.sum() < 7")
UNIFORM = DATA.replace("x.sum() < 7", "jax.lax.psum(x.sum(), 'x') < 7")


def test_predicate_from_the_position_is_an_error_before_the_launch() -> None:
    result = run(POSITION, seconds=60)
    assert result.statuses == (66, 66), result
    assert result.codes == {"JS512"}, result
    (finding,) = result.findings
    assert "has all-reduce(add) of float32[4] in groups {0,1} in branch 1 of a conditional" in finding.message, result
    assert {(place.rank, place.line) for place in finding.places} == {
        (rank, line) for rank in (0, 1) for line in lines_of(POSITION, "both")
    }, result
    assert not any("16" in text for text in result.out), result


@pytest.mark.soak
@pytest.mark.parametrize("program", [UNIFORM, SAME.replace("== 0", ">= 0")])
def test_predicate_that_is_equal_is_silent(program: str) -> None:
    result = run(program, seconds=60)
    assert result.statuses == (0, 0), result
    assert not result.findings, result


@pytest.mark.soak
def test_predicate_from_data_is_named_when_the_job_stalls() -> None:
    result = run(DATA, options={"stall_seconds": 2}, seconds=30)
    assert result.codes == {"JS204"}, result
    notes = [note for finding in result.findings for note in finding.raw["notes"]]
    assert any("communicates in a branch of a conditional" in note and "all-reduce(add)" in note for note in notes), (
        result
    )
