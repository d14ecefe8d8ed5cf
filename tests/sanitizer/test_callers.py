"""Where the sides of a finding parted, by the lines from which they reached their calls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jaxmpi_lint.runtime.findings import callers, report
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.reports import jsonl
from jaxmpi_lint.runtime.reports.suppressions import Suppressions


def path(*lines: str) -> Site:
    """A call with its callers, the innermost first: ``utils:5:total`` is line 5 of utils.py in total."""
    inner, *outer = (Site(f"/p/{file}.py", int(line), name) for file, line, name in (one.split(":") for one in lines))
    return replace(inner, callers=tuple(outer))


TOTAL, MAIN = "utils:5:total", "app:30:<module>"
TRAIN, EVALUATE = path(TOTAL, "app:11:train", "app:21:main", MAIN), path(TOTAL, "app:15:evaluate", "app:23:main", MAIN)


@pytest.mark.parametrize(
    ("sites", "expected"),
    [
        ([TRAIN, EVALUATE], (2, 2)),
        ([TRAIN, TRAIN], (0, 0)),
        ([TRAIN], (0,)),
        ([TRAIN, None, EVALUATE], (2, 0, 2)),
        ([path(TOTAL, "app:11:train", MAIN), path(TOTAL, "app:12:train", MAIN)], (1, 1)),
        ([path(TOTAL, MAIN), path("app:31:<module>")], (1, 0)),
        ([path(TOTAL, "app:11:train"), path("thread:3:run")], (0, 0)),
        ([path(TOTAL, "a:1:f", "b:2:g", "c:3:h"), path("utils:7:other", "c:4:h", "d:5:k")], (3, 1)),
        ([path("app:12:train", MAIN), path("app:12:train", MAIN)], (0, 0)),
    ],
    ids=["callers", "equal", "alone", "unknown", "one function", "depths", "threads", "not recorded", "same line"],
)
def test_frame_in_which_sides_part(sites: list[Site | None], expected: tuple[int, ...]) -> None:
    assert callers.differing(sites) == expected


def test_ways_of_which_one_is_known_in_part_do_not_differ() -> None:
    part = path(TOTAL, "app:11:train")
    assert callers.are_together([TRAIN, part, TRAIN])
    assert callers.differing([TRAIN, part]) == (0, 0)
    assert not list(callers.notes([Side((0,), "", TRAIN), Side((1,), "", part)]))
    assert not callers.are_together([TRAIN, part, EVALUATE])
    assert not callers.are_together([TRAIN, None])


def test_lines_of_a_library_are_folded() -> None:
    own = path("app:9:save", MAIN)
    library = Site("/lib/h5.py", 3, "write", Site("/lib/h5.py", 8, "flush", replace(own, callers=())), "", own.callers)
    assert [frame.line for frame in callers.frames(library)] == [3, 9, 30]


def test_lines_that_all_sides_share_are_counted_from_outside() -> None:
    assert callers.shared([TRAIN, EVALUATE]) == 1
    assert callers.shared([TRAIN, TRAIN]) == 3
    assert callers.shared([TRAIN]) == callers.shared([None]) == 0


def test_trails_have_callers_only_if_these_differ() -> None:
    assert callers.trails([TRAIN, EVALUATE, None]) == [
        "train:11 -> total, utils.py:5",
        "evaluate:15 -> total, utils.py:5",
        "",
    ]
    assert callers.trails([TRAIN, TRAIN]) == ["utils.py:5", "utils.py:5"]
    assert callers.trails([path(TOTAL, MAIN), path(TOTAL)]) == ["app.py:30 -> total, utils.py:5", "utils.py:5"]


def test_trails_name_the_caller_in_which_ways_part() -> None:
    save = "app:9:save"
    early, later = path(TOTAL, save, "app:23:<module>"), path(TOTAL, save, "app:16:step", "app:24:<module>")
    assert callers.trails([early, later, path("app:17:step")]) == [
        "app.py:23 -> total, utils.py:5",
        "app.py:24 -> total, utils.py:5",
        "app.py:17",
    ]


def test_note_on_an_earlier_collective_from_different_callers() -> None:
    sides = [Side((rank,), "", site) for rank, site in enumerate((TRAIN, EVALUATE))]
    note = callers.parted(7, sides)
    assert note.startswith(
        "collective 7 was the same call, /p/utils.py:5 in total, from different callers: rank 0 from"
    )
    assert note.endswith("the ranks may have diverged there")
    assert not callers.parted(7, [sides[0], replace(sides[1], site=TRAIN)])
    assert not callers.parted(7, [sides[0], replace(sides[1], site=path("app:40:main"))])


def found(code: str, *sites: Site) -> Finding:
    return Finding(code, "", (0, 1), tuple(Side((rank,), "Allreduce()", site) for rank, site in enumerate(sites)))


def test_note_and_advice_for_one_call_from_different_callers() -> None:
    told = callers.explained(found("JS105", TRAIN, EVALUATE))
    assert len(told.notes) == 1
    assert "rank 0 from /p/app.py:21 in main; rank 1 from /p/app.py:23 in main" in told.notes[0]
    assert "different lines of the program" in told.remedy
    assert not callers.explained(found("JS101", TRAIN, EVALUATE)).remedy
    for alone in (found("JS105", TRAIN, TRAIN), found("JS105", TRAIN, path("app:40:main", MAIN))):
        assert callers.explained(alone) == alone


def test_report_begins_with_the_difference_and_tells_what_is_shared_once() -> None:
    text = report.plain(report.lines(found("JS105", TRAIN, EVALUATE)))
    shown = [line.strip() for line in text.splitlines() if "/p/" in line]
    assert shown == [
        "--> /p/app.py:21 in main  <- first difference",
        "called from /p/app.py:30",
        "calls /p/app.py:11 in train",
        "calls /p/utils.py:5 in total",
        "--> /p/app.py:23 in main  <- first difference",
        "calls /p/app.py:15 in evaluate",
        "calls /p/utils.py:5 in total",
    ]


def test_callers_in_json() -> None:
    first = jsonl.as_object(found("JS105", TRAIN, EVALUATE))["locations"][0]
    assert (first["line"], first["differs_in"]) == (5, 2)
    assert [frame["line"] for frame in first["callers"]] == [11, 21, 30]


def test_errors_through_one_helper_are_different_defects_and_warnings_are_not() -> None:
    assert found("JS105", TRAIN, TRAIN).key != found("JS105", EVALUATE, EVALUATE).key
    assert found("JS203", TRAIN, TRAIN).key == found("JS203", EVALUATE, EVALUATE).key


def test_comment_at_a_caller_suppresses(tmp_path: Path) -> None:
    program = tmp_path / "app.py"
    program.write_text("total(x)  # jaxmpi-lint: ignore[JS203] small\ntotal(x)\n")
    for line, covered in ((1, True), (2, False)):
        call = replace(path(TOTAL), callers=(Site(str(program), line, "<module>"),))
        assert Suppressions().covers(found("JS203", call)) is covered
