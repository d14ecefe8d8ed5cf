"""The command ``jaxmpi-lint``."""

from __future__ import annotations

import errno
import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from jaxmpi_lint import __version__
from jaxmpi_lint.findings.errors import UserError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_NO_ROOM = (errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC)


def command() -> NoReturn:
    """The command in a separate process, which exits without deallocating the model of the program.

    Neither garbage collection nor the interpreter's shutdown would release anything of use.
    """
    gc.disable()
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(status)  # the interpreter prints the error
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(status)
    os._exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the linter; the exit status is 0 for clean, 1 for findings, 2 for an error."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given in (["--version"], ["-V"]):
        print(f"jaxmpi-lint {__version__}")
        return 0
    try:
        return _run(given)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
    except BrokenPipeError:
        _silence_standard_output()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            _silence_standard_output()
            print(f"error: the report cannot be written to standard output ({error.strerror})", file=sys.stderr)
            return 2
        if "--verbose" in given or "-v" in given:
            raise
        kind = f"{type(error).__name__}: {error}".partition("\n")[0]
        print(f"error: internal error ({kind}); run again with --verbose for details", file=sys.stderr)
    return 2


def _run(given: Sequence[str]) -> int:
    from jaxmpi_lint.command import arguments

    parsed = arguments.parse(given)
    if parsed.version:
        print(f"jaxmpi-lint {__version__}")
        return 0
    if parsed.list_rules or parsed.explain:
        return _inform(parsed)
    if parsed.trace:
        from jaxmpi_lint.command.trace import trace

        return trace(parsed, sys.stdout)
    from jaxmpi_lint.command import run

    return run.run(parsed)


def _inform(parsed: argparse.Namespace) -> int:
    from jaxmpi_lint.command.explain import explain
    from jaxmpi_lint.reporters import wants_color
    from jaxmpi_lint.rules import registry

    rules = registry.load()
    if parsed.explain:
        explain(parsed.explain, rules, sys.stdout, wants_color(sys.stdout))
        return 0
    form = parsed.output_format or "full"
    if form not in ("full", "concise"):
        from jaxmpi_lint.command.rule_list import as_data

        sys.stdout.write(as_data(rules, form))
        return 0
    for rule in rules:
        marks = [mark for mark, holds in (("preview", rule.preview), ("fix", rule.fix is not None)) if holds]
        print(
            f"{rule.code}  {rule.severity:<7}  {rule.name}: {rule.summary()}" + "".join(f" [{mark}]" for mark in marks)
        )
    return 0


def _silence_standard_output() -> None:
    """Standard output is closed; prevent the interpreter's error message when it flushes on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
