"""Where the calls of ranks have been shifted against each other since a collective that still matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.judging.histories import past
from jaxmpi_lint.runtime.ledger.snapshot import Record, Site
from jaxmpi_lint.runtime.reports import jsonl

from .snapshots import communicator, record, signature

REDUCE = signature("MPI_Allreduce", "float", 8, 6)
STEP, RESIDUAL, OTHER = (
    replace(Site("/p/utils.py", 5, "total"), callers=(Site("/p/app.py", line, "<module>"),)) for line in (14, 16, 18)
)


def calls(rank: int, sites: Sequence[Site | None]) -> list[Record]:
    return [
        record(number, rank, "Allreduce", ordinal=number, site=site, signature=REDUCE)
        for number, site in enumerate(sites)
    ]


def finding(*sites: Sequence[Site | None], ordinal: int) -> Finding:
    histories = [calls(rank, ones) for rank, ones in enumerate(sites)]
    groups = [(rank,) for rank in range(len(sites))]
    sides = tuple(Side((rank,), "Allreduce()", ones[ordinal]) for rank, ones in enumerate(sites))
    before = past(groups, communicator([ordinal + 1] * len(sites)), ordinal, histories.__getitem__)
    return Finding("JS101", "", (0, 1), sides, past=before)


def diverged_at(one: Finding) -> tuple[int, list[int]] | None:
    divergence = one.past.divergence if one.past is not None else None
    if divergence is None:
        return None
    return divergence.ordinal, [side.site.callers[0].line for side in divergence.sides if side.site is not None]


def test_a_call_too_many_is_where_the_ranks_diverged() -> None:
    shifted = finding([STEP, RESIDUAL, STEP, RESIDUAL, STEP], [STEP, STEP, STEP, STEP, OTHER], ordinal=4)
    assert diverged_at(shifted) == (2, [16, 14])
    assert shifted.past is not None
    assert not shifted.past.note


def test_long_ago_as_far_as_it_is_recorded() -> None:
    left = [STEP, RESIDUAL, *[STEP] * 40]
    assert diverged_at(finding(left, [*[STEP] * 41, OTHER], ordinal=41)) == (2, [16, 14])


def test_paths_of_a_root_and_the_others_are_none() -> None:
    apart = finding([STEP, STEP, STEP], [RESIDUAL, RESIDUAL, OTHER], ordinal=2)
    assert diverged_at(apart) is None
    assert apart.past is not None
    assert "may have diverged" in apart.past.note


def test_ranks_that_went_together_have_not_diverged() -> None:
    assert diverged_at(finding([STEP, RESIDUAL, STEP], [STEP, RESIDUAL, OTHER], ordinal=2)) is None
    assert diverged_at(finding([STEP, None, STEP], [STEP, RESIDUAL, OTHER], ordinal=2)) is None


def test_report_begins_where_the_ranks_diverged() -> None:
    shifted = finding([STEP, RESIDUAL, STEP], [STEP, STEP, OTHER], ordinal=2)
    text = report.plain(report.lines(shifted))
    assert text.index("collective 2 matched, but in different places") < text.index("--> /p/app.py:16")
    assert text.index("--> /p/app.py:16  <- first difference") < text.index("where they are now")
    assert text.count("<- first difference") == 2  # one for each rank at collective 2
    places = [place["diverged"] for place in jsonl.as_object(shifted)["locations"]]
    assert places == [{"collective": 2, "file": "/p/app.py", "line": line, "function": "<module>"} for line in (16, 14)]
    together = finding([STEP, STEP], [STEP, OTHER], ordinal=1)
    assert [place["diverged"] for place in jsonl.as_object(together)["locations"]] == [None, None]
