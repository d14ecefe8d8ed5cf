"""JM002: a file or a function is left out of the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.ir import MAX_BLOCKS
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import Finding, Rule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _chain(last: str, count: int = 10, mark: str = "") -> str:
    """A function of many branches."""
    head = f"from mpi4py import MPI\nfrom jax.experimental import multihost_utils\n\n\ndef run(comm, x):{mark}\n"
    return head + "".join(f"    if x == {index}:\n        x = x + 1\n" for index in range(count)) + last


class NotAnalysed(Rule):
    """File or function could not be analysed.

    ## What it does
    Reports a file that was left out: it cannot be opened, it is a broken link, or it is built in a way that would
    stall or crash the parser (brackets nested more than 200 deep, an expression of many thousand terms, a line of
    several megabytes). Reports also a function that communicates and is too large: more than 1500 pieces between which
    control may branch, some 250 `if` statements. The rest of its file is analysed.

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
    Keep generated data in a data file, or split it; take a file that needs no checking out with `exclude`. Split a
    function that is too large.

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
        """Functions beyond the bound, where what they do matters."""
        if function.ir.is_too_large and function.project.summaries.function_may_communicate(function.key):
            what = "the module's own code" if function.ir.kind == "module" else f"`{function.ir.name}`"
            yield self.finding(
                function.module,
                function.ir.name_span,
                f"not analysed: {what} has {len(function.ir.blocks)} branches and pieces between them, more than"
                f" {MAX_BLOCKS}",
                remedy="split it",
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
