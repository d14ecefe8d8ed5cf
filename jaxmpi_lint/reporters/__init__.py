"""Reporters: one module for each output format; each converts a whole report to text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TextIO, cast

from jaxmpi_lint.findings.model import RuleInfo, Suppressed
from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.settings.settings import FORMATS

__all__ = ["FORMATS", "STATISTICS", "Report", "RuleInfo", "Suppressed", "render", "wants_color"]

WIDTH = 100  # columns of coloured output that is not written to a terminal

# Forms of `--statistics`, which cannot be selected by a setting, with the function that writes each, as in `FORMATS`.
STATISTICS: Mapping[str, str] = {
    "statistics": "statistics.statistics",
    "statistics-json": "statistics.statistics_json",
}


def render(format: str, report: Report, stream: TextIO, color: bool) -> None:
    """Write the report to ``stream`` in one of ``FORMATS`` (or ``statistics``, ``statistics-json``).

    ``color`` selects the terminal form of ``full``; ``wants_color`` decides whether a stream should have it.
    """
    text = _full(report, stream, color) if format == "full" else _written(format, report)
    stream.write(encodable(text, stream))


def _full(report: Report, stream: TextIO, color: bool) -> str:
    columns = terminal_columns() if _is_terminal(stream) else None
    if color:
        from jaxmpi_lint.reporters import full

        return full.full(report, columns or WIDTH)
    from jaxmpi_lint.reporters import plain

    return plain.full(report, columns)


def _written(format: str, report: Report) -> str:
    """Only the module of this format is imported."""
    module, _, function = (FORMATS.get(format) or STATISTICS[format]).partition(".")
    write = cast("Callable[[Report], str]", getattr(import_module(f"{__name__}.{module}"), function))
    return write(report)


def wants_color(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Whether a stream is a terminal with colours: not with ``NO_COLOR`` set, nor on ``TERM=dumb``."""
    environment = os.environ if environment is None else environment
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return _is_terminal(stream) and environment.get("TERM") not in ("dumb", "unknown")


def encodable(text: str, stream: TextIO) -> str:
    """The text, with escapes for characters that the stream's encoding lacks."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def terminal_columns() -> int:
    """The width of the terminal: ``COLUMNS``, otherwise the terminal's own value."""
    import shutil

    return shutil.get_terminal_size().columns


def _is_terminal(stream: TextIO) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())
