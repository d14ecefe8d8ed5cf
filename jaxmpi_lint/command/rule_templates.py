"""Templates for a new rule: its module, its check, and two programs.

``Write here:`` marks a text that the author must replace; pages are not generated while a rule still has one.
"""

from __future__ import annotations

from string import Template
from typing import NamedTuple

UNWRITTEN = "Write here: "


class Programs(NamedTuple):
    """The lines of the first programs: an import, a call, and a correct statement."""

    head: str
    call: str
    right: str


_MPI4PY = Programs("from mpi4py import MPI", "MPI.COMM_WORLD.Barrier()", "print(MPI.COMM_WORLD.rank)")
PROGRAMS = {
    "collectives": _MPI4PY,
    "mpi4py": _MPI4PY,
    "mpi4jax": Programs("import mpi4jax", "mpi4jax.barrier()", "print(mpi4jax.__version__)"),
    "jax": Programs(
        "from jax.experimental import multihost_utils",
        'multihost_utils.sync_global_devices("start")',
        "print(multihost_utils.__name__)",
    ),
    "nondeterminism": _MPI4PY,
}
"""By family of checks: a folder in ``jaxmpi_lint/checks``."""

RULE = Template('''\
"""$code: $words."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.$family.$module import find
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class $rule(CheckRule):
    """$title.

    ## What it does
    Write here: the calls or statements that are reported.

    ## Why is this bad?
    Write here: what happens at run time, and on which ranks.

    ## Example
    Write here: the shortest program with the defect.
    ```python
    $call
    ```

    ## Use instead
    Write here: the same program without the defect.
    ```python
    $right
    ```

    ## Confidence
    Write here: when the confidence is high, when it is medium, and when nothing is reported.

    ## Known false negatives
    Write here: defects of this kind that are not found.

    ## References
    Write here: the section of the MPI standard, or the page of the library's documentation.
    """

    code = "$code"
    name = "$name"
    severity = Severity.WARNING
    preview = True
    detect = in_functions(find)
    message = "Write here: which ranks do what: what differs"
    remedy = "Write here: what to do instead, in the imperative"

    VALID = (
        """
        $head

        $right
        """,
    )
    INVALID = (
        """
        $head

        $call  #! $code
        """,
    )
''')

CHECK = Template('''\
"""$words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


@dataclass(frozen=True, slots=True)
class ${rule}Defect:
    """One defect: a call in a function. The rule's message can use all of its attributes as ``{d.NAME}``."""

    function: Function
    call: ir.Call

    @property
    def place(self) -> Place:
        """Where the finding is shown."""
        return Place(self.function.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """The confidence of the finding."""
        return Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """The places that explain the defect, in the order of execution."""
        return iter(())


def find(function: Function) -> Iterator[${rule}Defect]:
    """The defects in one function."""
    return iter(())
''')

VALID = Template("""\
$head

$right
""")

INVALID = Template("""\
$head

$call  #! $code
""")
