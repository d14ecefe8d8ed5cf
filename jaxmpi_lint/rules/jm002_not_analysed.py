"""JM002: file or function that could not be analysed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.ir import MAX_BLOCKS
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding, Rule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _chain(last: str, count: int = 10, mark: str = "") -> str:
    """A function with many branches."""
    head = f"from mpi4py import MPI\nfrom jax.experimental import multihost_utils\n\n\ndef run(comm, x):{mark}\n"
    return head + "".join(f"    if x == {index}:\n        x = x + 1\n" for index in range(count)) + last


class NotAnalysed(Rule):
    """File or function that could not be analysed.

    ## What it does
    Reports a file that was skipped because it cannot be opened, is a broken link, or would stall or crash the parser
    (brackets nested more than 200 deep, an expression with many thousands of terms, a line of several megabytes). Also
    reports a communicating function that is too large: more than 1500 basic blocks, about 250 `if` statements. The rest
    of its file is analysed.

    ## Why is this bad?
    No finding in a file should mean that the file was checked. This file or function was not.

    ## Example
    ```python
    # table.py, generated
    TABLE = 1 + 1 + 1 + 1  # ... thirty thousand terms
    ```

    ## Use instead
    ```python
    TABLE = sum([1, 1, 1, 1])
    ```
    Keep generated data in a data file, or split it. Use `exclude` for a file that needs no checking. Split a function
    that is too large.

    ## Confidence
    High: the file or the function was not analysed.

    ## Suppression
    `exclude` the file in `[tool.jaxmpi-lint]`, or ignore the rule for it with `per-file-ignores`. For a function, write
    `# jaxmpi-lint: ignore[JM002]` on the line with its name.

    ## References
    CPython allows 200 nested brackets: `MAXLEVEL` in `Parser/lexer/state.h`.
    """

    code = "JM002"
    name = "not-analysed"
    severity = Severity.WARNING

    def check_function(self, function: Function) -> Iterator[Finding]:
        """Communicating functions with more blocks than the limit."""
        if function.ir.is_too_large and function.project.summaries.function_may_communicate(function.key):
            what = "the module body" if function.ir.kind == "module" else f"`{function.ir.name}`"
            yield self.finding(
                function.module,
                function.ir.name_span,
                f"not analysed: {what} has {len(function.ir.blocks)} basic blocks, more than {MAX_BLOCKS}",
                remedy="split it into smaller functions",
            )

    VALID = (
        "from mpi4py import MPI\n",
        _chain("    return x\n"),
        _chain("    print(x)\n", count=600),
    )
    INVALID = (
        f"from mpi4py import MPI  #! JM002\n\nx = {'[' * 250}{']' * 250}\n",
        _chain("    comm.Barrier()\n", count=600, mark="  #! JM002"),
        _chain("    multihost_utils.sync_global_devices('end')\n", count=600, mark="  #! JM002"),
    )
