"""JM002: a file is left out of the analysis."""

from __future__ import annotations

from jaxmpi_lint.diagnostics import Severity
from jaxmpi_lint.rules.base import Rule


class NotAnalysed(Rule):
    """File could not be analysed.

    ## What it does
    Reports a file that was left out: it cannot be opened, it is a broken link, or it is built in a way that would
    stall or crash the parser (brackets nested more than 200 deep, an expression of many thousand terms, a line of
    several megabytes).

    ## Why is this bad?
    Silence about a file must mean that it was checked. Here it does not.

    ## Example
    ```python
    # table.py, generated
    TABLE = 1 + 1 + 1 + 1  # ... thirty thousand terms
    ```

    ## Use instead
    ```python
    TABLE = sum([1, 1, 1, 1])
    ```
    Keep generated data in a data file, or split it; take a file that needs no checking out with `exclude`.

    ## How sure
    High: the file was not analysed.

    ## How to silence
    `exclude` the file in `[tool.jaxmpi-lint]`, or ignore the rule for it with `per-file-ignores`.

    ## References
    CPython allows 200 nested brackets: `MAXLEVEL` in `Parser/lexer/state.h`.
    """

    code = "JM002"
    name = "not-analysed"
    severity = Severity.WARNING

    VALID = ("from mpi4py import MPI\n",)
    INVALID = (f"from mpi4py import MPI  #! JM002\n\nx = {'[' * 250}{']' * 250}\n",)
