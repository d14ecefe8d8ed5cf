"""The ``full`` format on a terminal: the lines of the plain form, in colours for dark and light backgrounds."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.reporters.story import Line, Role, lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SEVERITY_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold magenta", Severity.INFO: "bold blue"}
STYLES = {
    Role.PLACE: "bold",
    Role.NAME: "dim",
    Role.MESSAGE: "",
    Role.QUOTED: "bold",
    Role.GUTTER: "dim",
    Role.SOURCE: "",
    Role.NOTE: "cyan",
    Role.SIGN: "green",
    Role.REMEDY: "",
}


def full(report: Report, columns: int) -> str:
    """The whole report with the terminal's control sequences."""
    from rich.console import Console

    buffer = StringIO()
    console = Console(file=buffer, force_terminal=True, no_color=False, color_system="standard", width=columns)
    show(report, console, columns)
    return buffer.getvalue()


def show(report: Report, console: Console, columns: int) -> None:
    """Print the report on a console of rich, possibly a recording one, in lines of at most ``columns``."""
    from rich.text import Text

    for diagnostic in report.ordered:
        for line in lines(diagnostic, report, columns):
            _print(console, _styled(line, diagnostic.severity))
        _print(console, Text())
    if not report.quiet:
        _print(console, Text(report.verdict(), style="bold" if report.diagnostics else "green"))
        _print(console, Text(report.closing(), style="dim"))


def _styled(line: Line, severity: Severity) -> Text:
    from rich.text import Text

    own = SEVERITY_STYLES[severity]
    styles = {**STYLES, Role.CODE: own, Role.MARK: f"{own} underline", Role.OWN_NOTE: own.removeprefix("bold ")}
    text = Text()
    for part, role in line:
        text.append(part, style=styles[role])
    text.rstrip()
    return text


def _print(console: Console, text: Text) -> None:
    """Print one line unchanged: if it is too long, the terminal wraps it."""
    console.print(text, soft_wrap=True, highlight=False)
