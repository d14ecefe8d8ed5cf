"""The text report: a finding as lines, coloured on a terminal.

Every finding has the same parts: one sentence; each group of ranks with its call and its source line; for a deadlock
the wait cycle as a picture; the previous collectives side by side; the traceback of a rank that ended; the related lint
finding; the remedy.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from jaxmpi_lint.runtime.findings import callers, terminal, wording
from jaxmpi_lint.runtime.findings.finding import Divergence, Finding, Past, Side, Step
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Site

if TYPE_CHECKING:
    from rich.text import Text

Part = tuple[str, str]
"""A piece of text and its style."""
Line = tuple[Part, ...]

PREFIX = "jaxmpi-sanitize"
WHERE = "Where all ranks were"
SEVERITY = {"error": "bold red", "warning": "bold magenta", "info": "bold blue"}
_SIDES = 6
_STEPS = 8
_TEXT_LINES = 24
_WIDTH = 100
_TABLE = 160  # where the width of the terminal is not known
_LAST = "  the last collectives on "  # begins a table
_NARROWEST = 20  # column of a table


def lines(finding: Finding, context: str = "", consequence: str = "", story: Iterable[Line] = ()) -> Iterator[Line]:
    """A finding, line by line; ``consequence`` is the effect on the job, ``story`` the timeline in MPI and JAX."""
    style = SEVERITY[finding.severity]
    yield ((f"{PREFIX}: ", "dim"), (f"{finding.code} {finding.severity}", style), (f": {finding.message}", "bold"))
    if context:
        yield ((f"  {context}", "dim"),)
    divergence = finding.past.divergence if finding.past is not None else None
    if divergence is not None:
        yield from _divergence(divergence, style)
    yield from _sides(finding.sides[:_SIDES], style, marked=divergence is None)
    if len(finding.sides) > _SIDES:
        rest = [rank for side in finding.sides[_SIDES:] for rank in side.ranks]
        yield (
            (f"  ... and {wording.ranks(rest)} in {wording.plural(len(finding.sides) - _SIDES, 'other place')}", "dim"),
        )
    if finding.steps:
        yield ()
        yield from _picture(finding.steps, finding.closed, style)
    if finding.past is not None:
        yield ()
        yield from _past(finding.past, finding.communicator, style)
    for side in finding.sides:
        if side.text:
            yield ()
            yield from _quoted(side)
    yield from story
    yield ()
    for note in dict.fromkeys(finding.notes):
        yield from _paragraph("note", note, "cyan")
    yield from _paragraph("help", finding.help, "green")
    if consequence:
        yield (("  ", ""), (consequence, "dim"))


def call_path(site: Site, at: int, folded: int) -> Iterator[Line]:
    """The frames of a side below its first line: those that call it, and those that it calls.

    ``at`` is the number of the frame that was shown as the first line, ``folded`` how many outermost ones are left out.
    """
    path = callers.frames(site)
    for frame in path[at + 1 : len(path) - folded]:
        yield (("      called from ", "dim"), *_frame(frame))
    for frame in reversed(path[:at]):
        yield (("      calls ", "dim"), *_frame(frame))


def _frame(frame: Site) -> Iterator[tuple[str, str]]:
    yield (excerpt.place(frame), "")
    text = next((line.text.strip() for line in excerpt.lines(frame, before=0)), "")
    if text:
        yield (f"  | {text}", "dim")


def _divergence(divergence: Divergence, style: str) -> Iterator[Line]:
    """Where the calls of the ranks are shifted against each other since an earlier collective that matched."""
    yield ()
    matched = f"  collective {divergence.ordinal} matched, but in different places: the ranks may have diverged there"
    yield ((matched, "cyan"),)
    yield from _sides(divergence.sides[:_SIDES], style)
    yield ()
    yield (("  where they are now", "cyan"),)


def _sides(sides: Sequence[Side], style: str, marked: bool = True) -> Iterator[Line]:
    """Each side with the frame to begin with on top, and what they share told once."""
    sites = [side.site for side in sides]
    common = callers.shared(sites)
    mark = "computes with the rank" if callers.are_together(sites) else "first difference"
    known: set[Site] = set()
    for side, at in zip(sides, callers.heads(sites), strict=True):
        yield from _side(side, style)
        if side.site is not None:
            first = callers.frames(side.site)[at]
            yield from _first_line(first, f"  <- {mark}" if at and marked else "", first not in known)
            if side.handled is not None:
                yield ((f"      handles {side.handled.exception} from ", "cyan"), *_frame(side.handled.site))
            if side.site not in known:
                yield from call_path(side.site, at, common if known else 0)
            known |= {first, side.site}


def _first_line(frame: Site, mark: str, quote: bool) -> Iterator[Line]:
    yield (("  --> ", "dim"), (excerpt.place(frame), "bold"), (mark, "cyan"))
    for quoted in excerpt.lines(frame) if quote else ():
        yield ((f"  {quoted.number:>5} | ", "dim"), (quoted.text, "bold" if quoted.here else "dim"))


def _side(side: Side, style: str) -> Iterator[Line]:
    yield ()
    head: list[Part] = [("  ", ""), (wording.ranks(side.ranks), "bold")]
    if side.call:
        head.append((f"  {side.call}", ""))
    if side.remark:
        head.append((f"  <- {side.remark}", style if side.odd else "cyan"))
    yield tuple(head)


def lint(text: str) -> Iterator[Line]:
    """The linter's finding about the same lines."""
    yield from _paragraph("lint", text, "cyan")


def _paragraph(name: str, text: str, style: str) -> Iterator[Line]:
    for position, part in enumerate(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)):
        yield ((f"  {name}: " if position == 0 else " " * (len(name) + 4), style), (part, ""))


def _picture(steps: Sequence[Step], closed: bool, style: str) -> Iterator[Line]:
    shown = list(steps) if len(steps) <= _STEPS else [*steps[: _STEPS - 2], steps[-1]]
    names = [wording.ranks(step.ranks) for step in shown]
    width = max(len(name) for name in names)
    places = callers.trails([step.site for step in shown])
    for position, (step, name, place) in enumerate(zip(shown, names, places, strict=True)):
        first, last = position == 0, position == len(shown) - 1
        wait = wording.verb(step.ranks, "waits", "wait")
        margin = "+->" if first and closed else "|  " if closed else "   "
        where = f"  {place}" if place else ""
        yield ((f"    {margin} ", style), (f"{name:<{width}}", "bold"), (f"  {step.call}", ""), (where, "dim"))
        if last:
            edge = "+--" if closed else "   "
            yield ((f"    {edge}   ", style), (f"{wait} {step.what} {wording.ranks(step.others)}", "cyan"))
            continue
        yield (("    |   " if closed else "        ", style), (f"  {wait} {step.what}", "cyan"))
        if len(shown) < len(steps) and position == len(shown) - 2:
            skipped = len(steps) - len(shown)
            yield (
                ("    |   " if closed else "        ", style),
                (f"  ... {wording.plural(skipped, 'more rank')}", "dim"),
            )


def _past(past: Past, communicator: str, style: str) -> Iterator[Line]:
    yield ((_LAST, "dim"), (communicator or "this communicator", ""))
    heads = [wording.ranks(column) for column in past.columns]
    cells = [heads, *([call or "-" for call in row.calls] for row in past.rows)]
    number = max(len(str(row.ordinal)) for row in past.rows)
    room = (terminal.columns() or _TABLE) - number - 8
    most = max(_NARROWEST, room // len(heads) - 2)
    widths = [min(most, max(len(row[column]) for row in cells)) for column in range(len(heads))]
    yield ((f"    {'#':>{number + 2}}  {_columns(heads, widths)}", "bold"),)
    for row in past.rows:
        text = _columns([call or "-" for call in row.calls], widths)
        sign = ">" if row.here else " "
        yield ((f"    {sign} {row.ordinal:>{number}}  {text}", style if row.here else ""),)


def fitted(text: str, columns: int) -> str:
    """A stored report with its tables cut to the width of a terminal."""
    inside = False
    kept: list[str] = []
    for line in text.splitlines():
        inside = bool(line) and (inside or line.startswith(_LAST))
        kept.append(_cut(line, columns) if inside else line)
    return "".join(f"{line}\n" for line in kept)


def _columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(f"{_cut(cell, width):<{width}}" for cell, width in zip(cells, widths, strict=True)).rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _quoted(side: Side) -> Iterator[Line]:
    yield ((f"  {wording.ranks(side.ranks)}:", "bold"),)
    text = side.text.rstrip().splitlines()
    if len(text) > _TEXT_LINES:
        text = [*text[:4], f"... {len(text) - _TEXT_LINES} lines omitted", *text[4 - _TEXT_LINES :]]
    for line in text:
        yield ((f"    {line}", ""),)


def plain(shown: Iterable[Line]) -> str:
    """The lines without colours."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in shown)


def write(shown: Sequence[Line], stream: TextIO) -> None:
    """Print lines in one piece, in colours if the stream is a terminal (or FORCE_COLOR is set)."""
    from rich.console import Console

    console = Console(file=stream, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        _write_whole(plain(shown), stream)
        return
    buffer = io.StringIO()
    colour = Console(
        file=buffer,
        highlight=False,
        soft_wrap=True,
        force_terminal=True,
        color_system="standard",
    )
    for line in shown:
        colour.print(_styled(line), soft_wrap=True, highlight=False)
    _write_whole(buffer.getvalue(), stream)


def _write_whole(text: str, stream: TextIO) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _styled(line: Line) -> Text:
    from rich.text import Text

    text = Text()
    for part, style in line:
        text.append(part, style=style)
    text.rstrip()
    return text
