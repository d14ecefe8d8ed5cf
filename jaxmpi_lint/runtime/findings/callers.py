"""The lines from which ranks reached their calls: where the sides of a finding differ, as lines of a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from jaxmpi_lint.runtime.findings import rank_lines, wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger import excerpt, native_site
from jaxmpi_lint.runtime.ledger.snapshot import Site

_ARGUMENTS = frozenset({"JS103", "JS104", "JS105", "JS106", "JS107", "JS109", "JS110"})
_PATHS = (
    "the ranks reach this call from different lines of the program: if those lines belong to different steps, let all "
    "ranks take the same path to the call; if they are the same step, pass the same arguments at both"
)
_SHOWN = 3  # callers named in a note

_Line = tuple[str, int, str]


def frames(site: Site | None) -> tuple[Site, ...]:
    """The line of a call and its callers, the innermost first; of a library only the line that made the call."""
    if site is None:
        return ()
    chain = [site]
    while chain[-1].caller is not None:
        chain.append(chain[-1].caller)
    return (*dict.fromkeys((chain[0], chain[-1])), *site.callers)


def differing(sites: Sequence[Site | None]) -> tuple[int, ...]:
    """For each site the number of the frame in which its way parts from those of the others; 0: the line itself.

    That is the outermost frame which differs: where the functions around it are the same, the ranks parted there.
    """
    paths = [frames(site) for site in sites]
    others = [[other for other in paths if not _is_same_way(path, other)] for path in paths]
    return tuple(
        max((_parting(path, one) for one in ones), default=0) for path, ones in zip(paths, others, strict=True)
    )


def _is_same_way(mine: Sequence[Site], other: Sequence[Site]) -> bool:
    """Whether two paths are the same as far as both are known: those of operations of mpi4jax may lack outer lines."""
    return all(one.spot == another.spot for one, another in zip(mine, other, strict=False))


def heads(sites: Sequence[Site | None]) -> tuple[int, ...]:
    """For each site the number of the frame to begin with: the first difference, else what computes with the rank."""
    if len(sites) > 1 and are_together(sites):
        return tuple(rank_lines.computing(frames(site)) or 0 for site in sites)
    return differing(sites)


def _parting(mine: Sequence[Site], other: Sequence[Site]) -> int:
    """The number of the outermost frame that differs; 0 if the paths have no function in common."""
    at, there = _aligned(mine, other)
    while at >= 0 and there >= 0 and mine[at].spot == other[there].spot:
        at, there = at - 1, there - 1
    return max(at, 0)


def _aligned(mine: Sequence[Site], other: Sequence[Site]) -> tuple[int, int]:
    """The outermost frames of two paths that are in one function: the outermost of a path may not be recorded."""
    last, last_there = len(mine) - 1, len(other) - 1
    for skipped in range(max(len(mine), len(other))):
        for at, there in ((last - skipped, last_there), (last, last_there - skipped)):
            if at >= 0 and there >= 0 and _function(mine[at]) == _function(other[there]):
                return at, there
    return -1, -1


def _function(frame: Site) -> tuple[str, str]:
    return frame.file, frame.function


def lines_of(site: Site | None) -> tuple[_Line, ...]:
    """The line of a call and those around it, the innermost first."""
    return tuple(frame.spot for frame in frames(site))


def _common(one: Sequence[_Line], other: Sequence[_Line]) -> int:
    """The number of innermost lines that two paths share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def are_together(sites: Sequence[Site | None]) -> bool:
    """Whether all calls are on the same line, and reached the same way as far as it is known."""
    paths = [frames(site) for site in sites]
    longest = max(paths, key=len, default=())
    return all(path and _is_same_way(path, longest) for path in paths)


def shared(sites: Sequence[Site | None]) -> int:
    """The number of outermost lines that all sites share, without the lines of the calls themselves."""
    paths = [tuple(reversed(lines_of(site)[1:])) for site in sites if site is not None]
    return min((_common(paths[0], other) for other in paths[1:]), default=0)


def trails(sites: Sequence[Site | None]) -> list[str]:
    """One for each call: ``evaluate:41 -> reduce_mean, utils.py:5``; without callers, if all have the same.

    The caller is the innermost or, where that does not tell two ways from each other, the one in which they part.
    """
    paths = [lines_of(site) for site in sites]
    if len({path[1:] for path in paths if path}) < 2:
        return [_trail(site, 0) for site in sites]
    alike: dict[tuple[_Line, ...], list[Site | None]] = defaultdict(list)
    for site, path in zip(sites, paths, strict=True):
        alike[path[:2]].append(site)
    at = {key: iter(differing(ones)) for key, ones in alike.items()}
    return [_trail(site, max(next(at[path[:2]]), 1)) for site, path in zip(sites, paths, strict=True)]


def _trail(site: Site | None, at: int) -> str:
    """A call and its caller of this number; 0: the call alone."""
    if site is None:
        return ""
    path = frames(site)
    here = excerpt.line(site, folder=False)
    if at == 0 or at >= len(path):
        return here
    caller = path[at]
    if not caller.line:
        return f"{excerpt.line(caller, folder=False)} -> {here}"
    start = excerpt.name(caller.file) if caller.function in ("", "<module>") else caller.function.rpartition(".")[2]
    return f"{start}:{caller.line} -> {site.function.rpartition('.')[2]}, {here}"


def explained(finding: Finding) -> Finding:
    """The finding, with a note if its sides make the same call from different callers."""
    told = tuple(notes(finding.sides))
    before = (finding.past.note,) if finding.past is not None and finding.past.note else ()
    missing = tuple(native_site.without_lines(finding.sites))
    same = len({lines_of(side.site)[:1] for side in finding.sides}) == 1 and finding.code in _ARGUMENTS
    remedy = _PATHS if told and same and not finding.remedy else finding.remedy
    return replace(finding, notes=(*finding.notes, *told, *before, *missing), remedy=remedy)


def notes(sides: Sequence[Side]) -> Iterator[str]:
    """One note for each line that sides reached from different callers."""
    by_line: dict[tuple[_Line, ...], list[Side]] = defaultdict(list)
    for side in sides:
        by_line[lines_of(side.site)[:1]].append(side)
    for line, ones in by_line.items():
        if line and not are_together([side.site for side in ones]):
            yield _note(ones)


def _note(sides: Sequence[Side]) -> str:
    return f"the same call, {_from_callers(sides)}"


def _from_callers(sides: Sequence[Side]) -> str:
    """The line of a call that sides reached from different callers, and these."""
    sites = [side.site for side in sides]
    told = []
    for side, at in zip(sides, differing(sites), strict=True):
        told.append(f"{wording.ranks(side.ranks)} from {excerpt.place(frames(side.site)[at])}")
    rest = f"; and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return f"{excerpt.place(sites[0])}, from different callers: {'; '.join(told[:_SHOWN])}{rest}"


def parted(ordinal: int, sides: Sequence[Side]) -> str:
    """A note on a collective that matched, if all sides made it on the same line, from different callers; else ''."""
    if len({lines_of(side.site)[:1] for side in sides}) != 1 or are_together([side.site for side in sides]):
        return ""
    return f"collective {ordinal} was the same call, {_from_callers(sides)}: the ranks may have diverged there"
