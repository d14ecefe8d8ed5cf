"""The page ``docs/sanitizer-options.md``: ``python -m jaxmpi_lint.runtime.settings.options_page [--check]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jaxmpi_lint.runtime.settings.options import TABLE, Option

PAGE = Path("docs/sanitizer-options.md")
COMMAND = "python -m jaxmpi_lint.runtime.settings.options_page"

_HEAD = """\
# Activating the sanitizer

```bash
JAXMPI_SANITIZE=1 mpirun -n 4 python app.py          # also: python -m package, python -m mpi4py app.py, pytest
mpirun -n 4 jaxmpi-sanitize run ./a.out              # programs without Python
jaxmpi-sanitize doctor                               # check this environment
```

| variable | value |
| --- | --- |
| `JAXMPI_SANITIZE` | `1`: on; `strict`: compare before every collective; `0` or absent: off, and nothing is imported |
| `JAXMPI_SANITIZE_OPTIONS` | `option=value:option=value`, see below; errors end the job with 2 before `MPI_Init` |
| `JAXMPI_SANITIZE_REPORT` | a file to which every finding is appended as one line of JSON |

Every rank needs the same variables. Open MPI's `mpirun` forwards variables to other hosts only with `-x`:
`mpirun -x JAXMPI_SANITIZE -x JAXMPI_SANITIZE_OPTIONS -x JAXMPI_SANITIZE_REPORT ...`. Hydra (MPICH, Intel MPI) forwards
the whole environment, and so does `srun` unless `--export` restricts it. If some ranks run without the sanitizer,
nothing is checked, and a line reports it.

`with jaxmpi_lint.runtime.paused():` excludes a part of a program; use it on all ranks.
`jaxmpi_lint.runtime.is_active()` returns whether calls are being checked.

## What is checked

Every call of a function of the MPI library, by any caller: mpi4py, mpi4jax, other extensions, libraries that ctypes or
cffi load, functions that ctypes, cffi or a library look up by name, for themselves or for numba, and the bindings of
Fortran (`mpif.h`, the modules `mpi` and `mpi_f08`), also where these call `PMPI_` functions. The interposers
are loaded when the first of these loads MPI into the process; callers that were loaded earlier are redirected to them
afterwards. A second MPI library in the process is an error at its first call (JS401). What is checked of operations of
mpi4jax beyond their MPI calls is on [a separate page](mpi4jax.md).

Not checked, and reported:

- MPI initialised before the sanitizer could be attached, as in a program that embeds Python;
- MPI initialised by a library that loads it with `dlopen`, or through `PMPI_Init`, as by profiling libraries and
  bindings of Fortran that are linked statically into the program: reported at its end;
- statically linked programs.

Not checked, and not reported: calls through addresses that were looked up before the interposers were loaded, while
a different caller initialises MPI.

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
    return f"| `{option.name}` | {shown} | {option.domain.accepts} | {option.meaning} |\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; with ``--check``, report whether it is up to date."""
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
