"""``jaxmpi-sanitize``: run a program, inspect a running job, show a stored report, check the environment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from jaxmpi_lint.findings.errors import UserError

_USAGE = """\
usage: jaxmpi-sanitize COMMAND ...

  run [--] PROGRAM ARGUMENTS   run a program with the sanitizer: mpirun -n 4 jaxmpi-sanitize run ./a.out
  status [JOB]                 state and call site of each rank in the jobs running on this host
  report DIR|FILE              show the report of an earlier job: a folder jaxmpi-sanitize.*, or a file of JSON lines
  doctor                       check this environment: MPI library, launcher, shared memory
  doctor --hosts [LAUNCHER]    check whether the ranks of several hosts can be compared

Python programs need no command: JAXMPI_SANITIZE=1 mpirun -n 4 python app.py"""

_COMMANDS = {
    "run": "jaxmpi_lint.runtime.commands.run_program",
    "status": "jaxmpi_lint.runtime.commands.status",
    "report": "jaxmpi_lint.runtime.commands.stored_report",
    "doctor": "jaxmpi_lint.runtime.commands.doctor",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; 2 for an unknown subcommand or invalid arguments."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] in (["--help"], ["-h"]):
        print(_USAGE)
        return 0
    if given[:1] == ["--version"]:
        from jaxmpi_lint import __version__

        print(f"jaxmpi-sanitize {__version__}")
        return 0
    if not given or given[0] not in _COMMANDS:
        problem = f"no command {given[0]!r}" if given else "no command"
        print(f"jaxmpi-sanitize: {problem}\n{_USAGE}", file=sys.stderr)
        return 2
    try:
        run: Callable[[Sequence[str]], int] = import_module(_COMMANDS[given[0]]).main
        return run(given[1:])
    except UserError as error:
        print(f"jaxmpi-sanitize: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
