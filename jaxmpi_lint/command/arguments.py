"""Options of the command line, and their conversion to settings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.settings.pyproject import Values, parse_target
from jaxmpi_lint.settings.settings import FORMATS


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message}; `jaxmpi-lint --help` shows all options")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The given options; omitted ones are None or False."""
    options = _parser().parse_args(arguments)
    _check_actions(options)
    if options.write_baseline:
        _check_baseline(options)
    return options


def _check_actions(options: argparse.Namespace) -> None:
    """Reject combinations of which one option would be ignored."""
    writes = options.write_baseline is not None
    given = {"--write-baseline": writes, "--add-noqa": options.add_noqa, "--fix": options.fix}
    both = [name for name, holds in given.items() if holds]
    if len(both) > 1:
        raise UserError(f"{both[0]} and {both[1]} exclude each other; run them one after the other")
    if writes and options.diff:
        raise UserError("--write-baseline and --diff exclude each other; drop one of them")


def _check_baseline(options: argparse.Namespace) -> None:
    """Reject a FILE of ``--write-baseline`` that is a path to lint, or that contradicts ``--baseline``."""
    path = Path(options.write_baseline)
    if path.is_dir() or path.suffix in (".py", ".pyi", ".ipynb"):
        kind = "a folder" if path.is_dir() else "a program"
        raise UserError(f"--write-baseline {path}: is {kind}; name the file to write, then the paths to lint")
    if options.baseline is not None and Path(options.baseline).absolute() != path.absolute():
        raise UserError(f"--write-baseline {path} and --baseline {options.baseline} name different files; give one")


def values(options: argparse.Namespace) -> Values:
    """The settings given on the command line, without selectors; paths are relative to the working directory."""
    given: Values = {}
    for name in _FLAGS:
        if getattr(options, name):
            given[name] = True
    for name in ("output_format", "jobs"):
        if getattr(options, name) is not None:
            given[name] = getattr(options, name)
    for name in ("output_file", "baseline", "cache_dir"):
        if getattr(options, name) is not None:
            given[name] = Path(getattr(options, name)).absolute()
    if options.write_baseline:
        given["baseline"] = Path(options.write_baseline).absolute()
    if options.min_confidence:
        given["min_confidence"] = Confidence(options.min_confidence)
    if options.min_severity:
        given["min_severity"] = Severity(options.min_severity)
    given["targets"] = dict(parse_target(text) for text in options.target or ())
    return given


def selectors(options: argparse.Namespace) -> dict[str, tuple[str, ...]]:
    """The selectors given on the command line."""
    return {
        name: tuple(code.strip() for text in getattr(options, name) for code in text.split(",") if code.strip())
        for name in ("select", "ignore", "extend_select")
        if getattr(options, name) is not None
    }


_FLAGS = ("fix", "unsafe_fixes", "diff", "statistics", "exit_zero", "preview", "no_cache", "quiet", "verbose")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="jaxmpi-lint",
        description="Check the communication of Python programs that run as many processes (mpi4py, mpi4jax, JAX).",
        epilog="Exit status: 0 clean, 1 a warning or an error is shown, 2 the tool or its configuration failed.",
        allow_abbrev=False,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default .); - is standard input")
    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", action="append", metavar="CODES", help="codes or prefixes to run, or ALL")
    rules.add_argument("--ignore", action="append", metavar="CODES", help="codes or prefixes to exclude")
    rules.add_argument("--extend-select", action="append", metavar="CODES", help="additional codes or prefixes to run")
    rules.add_argument("--preview", action="store_true", help="run preview rules")
    rules.add_argument("--min-confidence", choices=list(Confidence), help="minimum confidence shown (medium)")
    rules.add_argument("--min-severity", choices=list(Severity), help="minimum severity shown (warning)")
    rules.add_argument(
        "--target", action="append", metavar="PACKAGE=VERSION", help="version of jax, mpi4py or mpi4jax (repeatable)"
    )
    fixes = parser.add_argument_group("fixes and known findings")
    fixes.add_argument("--fix", action="store_true", help="apply safe fixes")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="with --fix, --diff: also unsafe fixes")
    fixes.add_argument(
        "--diff", action="store_true", help="show the changes of --fix or --add-noqa without making them"
    )
    fixes.add_argument("--add-noqa", action="store_true", help="add a suppression comment to every line with a finding")
    fixes.add_argument("--baseline", metavar="FILE", help="do not show findings in this file")
    fixes.add_argument(
        "--write-baseline",
        nargs="?",
        const="",
        metavar="FILE",
        help="write all findings to FILE (default: the file of --baseline, or .jaxmpi-lint-baseline.json)",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, help="format of the report (full)")
    output.add_argument("--output-file", metavar="FILE", help="write the report to a file")
    output.add_argument("--statistics", action="store_true", help="count findings by rule instead of showing them")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    output.add_argument("-q", "--quiet", action="store_true", help="print findings only")
    output.add_argument("-v", "--verbose", action="store_true", help="print the files read and the settings used")
    settings = parser.add_argument_group("settings")
    settings.add_argument("--config", action="append", metavar="FILE|KEY=VALUE", help="settings file, or one setting")
    settings.add_argument("--isolated", action="store_true", help="use no settings file")
    settings.add_argument("--stdin-filename", metavar="FILE", help="file name for standard input")
    settings.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    settings.add_argument("--cache-dir", metavar="DIR", help="folder of the cache (.jaxmpi_lint_cache in the project)")
    settings.add_argument(
        "-j", "--jobs", type=_positive, metavar="N", help="number of parser processes (number of cores)"
    )
    about = parser.add_argument_group("information")
    about.add_argument("--show-settings", action="store_true", help="print the effective settings")
    about.add_argument("--list-rules", action="store_true", help="print all rules")
    about.add_argument("--explain", metavar="CODE", help="print the page of a rule or of a sanitizer code")
    about.add_argument(
        "--trace", nargs=2, metavar=("CODE", "FILE:LINE"), help="print how a rule evaluates a line, stage by stage"
    )
    about.add_argument("-V", "--version", action="store_true", help="print the version")
    return parser


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)
