"""Every mistake is named with both sides' lines and ends the job; the same without the mistake is left alone."""

from __future__ import annotations

import pytest

from .cases import MISTAKES, Mistake
from .jobs import lines_of, run

pytestmark = pytest.mark.runs_jax
QUICK = [pytest.param(one, id=one.name, marks=[] if one.quick else [pytest.mark.soak]) for one in MISTAKES]


@pytest.mark.parametrize("mistake", QUICK)
def test_mistake_is_named(mistake: Mistake) -> None:
    result = run(mistake.text)
    assert not result.hung, result
    assert result.statuses == mistake.statuses, result
    assert result.codes == {mistake.code}, result
    assert not result.left, result
    (finding,) = result.findings
    assert finding.ranks == (0, 1), result
    for rank in (0, 1):
        expected = lines_of(mistake.text, str(rank)) or lines_of(mistake.text, "both")
        places = [place for place in finding.places if place.rank == rank]
        assert [place.line for place in places if (place.file or "").endswith("program.py")] == expected, result


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
