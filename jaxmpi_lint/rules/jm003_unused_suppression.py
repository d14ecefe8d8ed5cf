"""JM003: unused suppression comment."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import Example, Rule


class UnusedSuppression(Rule):
    """Unused suppression comment.

    ## What it does
    Reports a `# noqa: JM...` or `# jaxmpi-lint: ignore[JM...]` comment that suppresses nothing: no enabled rule has a
    finding with that code there. A bare `# noqa` and the codes of other tools are never reported.

    ## Why is this bad?
    The comment outlives the defect that it was written for and hides the next one on the same line.

    ## Example
    ```python
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    comm.Barrier()  # noqa: JM101
    ```

    ## Use instead
    ```python
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    comm.Barrier()
    ```

    ## Fix safety
    Safe: only the comment, or the code in it, is removed.

    ## Confidence
    High for files that were analysed. Comments in files that could not be parsed are not checked, and neither are codes
    of rules that did not run.

    ## Suppression
    Ignore the rule with `--ignore JM003`, `ignore` or `per-file-ignores`.

    ## References
    `docs/rules/README.md`, section on suppression.
    """

    code = "JM003"
    name = "unused-suppression"
    severity = Severity.WARNING
    fix = Applicability.SAFE

    VALID = ("from mpi4py import MPI\n\nMPI.COMM_WORLD.Barrier()  # noqa\n",)
    INVALID = (
        Example(
            "from mpi4py import MPI\n\nMPI.COMM_WORLD.Barrier()  # noqa: JM002 #! JM003\n",
            fixed="from mpi4py import MPI\n\nMPI.COMM_WORLD.Barrier()\n",
            settings={"select": ["JM0"]},
        ),
    )
