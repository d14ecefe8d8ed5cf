"""Every mistake is named with both sides' lines and ends the job; the same without the mistake is left alone."""

from __future__ import annotations

import pytest

from .cases import MISTAKES, Mistake
from .jobs import lines_of, older_jax, run

pytestmark = pytest.mark.runs_jax
QUICK = [pytest.param(one, id=one.name, marks=[] if one.quick else [pytest.mark.soak]) for one in MISTAKES]


@pytest.mark.parametrize("mistake", QUICK)
def test_mistake_is_named(mistake: Mistake) -> None:
    result = run(mistake.text, each=({}, mistake.other), options=mistake.options)
    assert not result.hung, result
    assert result.statuses == mistake.statuses, result
    assert result.codes - {mistake.also} == {mistake.code}, result
    assert not result.left, result
    (finding,) = (one for one in result.findings if one.code == mistake.code)
    assert finding.ranks == (0, 1), result
    for rank in (0, 1):
        expected = lines_of(mistake.text, str(rank)) or lines_of(mistake.text, mistake.mark)
        places = [place for place in finding.places if place.rank == rank]
        assert [place.line for place in places if (place.file or "").endswith("program.py")] == expected, result


def test_mistake_is_named_with_an_older_jax() -> None:
    (mistake,) = (one for one in MISTAKES if one.name == "a3-summed-shapes-differ")
    result = run(mistake.text, each=[older_jax()] * 2, options=mistake.options)
    assert (result.hung, result.statuses, result.codes) == (False, mistake.statuses, {mistake.code}), result


AMONG_FOUR = (
    "a3-summed-shapes-differ", "b-leaves-the-loop-early", "c1-order-of-a-set-of-equal-shapes", "c2-opposite-order",
    "d1-first-launch-by-one-process", "d2-later-launch-by-one-process", "h1-static-argument", "k1-dies-at-once",
    "k2-process-0-dies", "k3-raises",
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (place > 0)) for place, name in enumerate(AMONG_FOUR)]
)
def test_mistake_is_named_among_four(name: str) -> None:
    (mistake,) = (one for one in MISTAKES if one.name == name)
    result = run(mistake.text, 4)
    assert not result.hung, result
    own = dict(enumerate(mistake.statuses))
    assert result.statuses == tuple(own.get(rank, max(own.values())) for rank in range(4)), result
    assert result.codes == {mistake.code}, result
    assert not result.left, result
    places = [place for finding in result.findings for place in finding.places]
    lines = {mark: lines_of(mistake.text, mark) for mark in ("0", "1", mistake.mark)}
    every = {*lines["0"], *lines["1"], *lines[mistake.mark]}
    for place in places:
        allowed = lines.get(str(place.rank)) or every
        assert place.line in allowed or (place.line is None and place.operation == "no launch"), result
    assert len({place.rank for place in places}) > 1, result


def together() -> str:
    """All programs without their mistakes, one after the other."""
    parts = []
    for number, mistake in enumerate(MISTAKES):
        assert mistake.twin[0] in mistake.text
        body = mistake.text.replace(*mistake.twin)
        parts.append(f"def part{number}():\n" + "".join(f"    {line}\n" for line in body.splitlines()))
    parts.append("".join(f"part{number}()\n" for number in range(len(MISTAKES))))
    return "".join(parts)


def test_programs_without_the_mistakes() -> None:
    plain, watched = run(together(), sanitize="", seconds=240), run(together(), seconds=240)
    assert plain.statuses == watched.statuses == (0, 0), f"{plain}\n{watched}"
    assert watched.findings == (), watched
    assert len(watched.said) == 1, watched
    assert "checking the launches of 2 JAX processes" in watched.said[0], watched
    assert not watched.left, watched
    assert plain.out == watched.out
