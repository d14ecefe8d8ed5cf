"""The page ``docs/sanitizer-options.md``: ``python -m jaxmpi_lint.runtime.options_page [--check]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jaxmpi_lint.runtime.options import TABLE, Option

PAGE = Path("docs/sanitizer-options.md")
COMMAND = "python -m jaxmpi_lint.runtime.options_page"

_HEAD = """\
# Switching the sanitizer on

```bash
JAXMPI_SANITIZE=1 mpirun -n 4 python app.py          # also: python -m package, python -m mpi4py app.py, pytest
mpirun -n 4 jaxmpi-sanitize run ./a.out              # programs without Python
jaxmpi-sanitize doctor                               # is this environment fit for it?
```

| variable | value |
| --- | --- |
| `JAXMPI_SANITIZE` | `1`: on; `strict`: agree before every collective; `0` or absent: off, and nothing is imported |
| `JAXMPI_SANITIZE_OPTIONS` | `option=value:option=value`, see below; a mistake ends the job with 2 before `MPI_Init` |
| `JAXMPI_SANITIZE_REPORT` | a file to which every finding is added as one line of JSON |

Every rank needs the same variables. Open MPI's `mpirun` carries to other hosts only what is named:
`mpirun -x JAXMPI_SANITIZE -x JAXMPI_SANITIZE_OPTIONS -x JAXMPI_SANITIZE_REPORT ...`. Hydra (MPICH, Intel MPI) carries
the whole environment, and so does `srun` unless `--export` says otherwise. Ranks without the sanitizer are noticed:
then nothing is checked, and a line says so.

`with jaxmpi_lint.runtime.paused():` leaves a part of a program out, on all ranks alike;
`jaxmpi_lint.runtime.is_active()` tells whether calls are being checked.

## What is seen

Every call of a function of the MPI library, however the caller came by it: mpi4py, mpi4jax, other extensions, libraries
that ctypes or cffi load, and functions that ctypes, cffi or a library look up by their names, for themselves or for
numba. The interposers are put in place when the first of them brings MPI into the process; callers that came earlier
are pointed to them afterwards. A second MPI library in the process is an error at its first call (JS401). What is known
of operations of mpi4jax beyond their MPI calls is on [a page of its own](mpi4jax.md).

Not seen, and said:

- MPI initialised before Python could look, as in a program that embeds Python;
- MPI initialised by a library that loads it at run time by itself;
- programs that are linked statically, and Fortran where its bindings call `PMPI_` functions.

Not seen, and noticed by nothing: calls by addresses that were looked up before the interposers were in place, while
another caller initialises MPI.

## Options

| option | default | accepts | meaning |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The page in Markdown."""
    return _HEAD + "".join(_row(option) for option in TABLE)


def _row(option: Option) -> str:
    default = f"`{option.default:g}`" if isinstance(option.default, float) else f"`{option.default}`"
    shown = default if option.default != "" else "none"
    return f"| `{option.name}` | {shown} | {option.accepts} | {option.meaning} |\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with ``--check`` say whether it is up to date."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is stale")
    if not parser.parse_args(arguments).check:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE}: stale; run `{COMMAND}`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
