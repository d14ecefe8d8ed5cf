"""JM001: a file is not Python."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class Unparsable(Rule):
    """File is not valid Python.

    ## What it does
    Reports a file that seems to communicate and that cannot be read as Python 3: a syntax error, Python 2, bytes that
    its encoding does not allow, null bytes, a notebook that is no valid JSON.

    ## Why is this bad?
    A file that cannot be parsed is not checked at all: mistakes in it, and mistakes elsewhere that only show together
    with it, stay unseen. The other files are still linted.

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
