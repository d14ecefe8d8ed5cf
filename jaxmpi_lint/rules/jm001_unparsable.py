"""JM001: unparsable Python file."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class Unparsable(Rule):
    """Unparsable Python file.

    ## What it does
    Reports a file that appears to communicate and cannot be parsed as Python 3: a syntax error, Python 2 code, bytes
    that are invalid in its encoding, null bytes, or a notebook that is not valid JSON.

    ## Why is this bad?
    A file that cannot be parsed is not checked at all. Defects in it are not found, nor are defects in other files that
    can only be seen together with it. The other files are still linted.

    ## Example
    ```text
    from mpi4py import MPI

    print "hello from", MPI.COMM_WORLD.Get_rank()
    ```

    ## Use instead
    ```python
    from mpi4py import MPI

    print("hello from", MPI.COMM_WORLD.Get_rank())
    ```

    ## Confidence
    High. Files without any sign of communication are not parsed, so they are not reported either.

    ## Suppression
    `exclude` the file in `[tool.jaxmpi-lint]`, or ignore the rule for it with `per-file-ignores`.

    ## References
    The Python Language Reference, section 2: lexical analysis; section 10: full grammar specification.
    """

    code = "JM001"
    name = "unparsable"
    severity = Severity.ERROR

    VALID = ("from mpi4py import MPI\n",)
    INVALID = ("from mpi4py import MPI\nprint 'rank'  #! JM001\n",)
