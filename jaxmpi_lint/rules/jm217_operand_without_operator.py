"""JM217: operand of a pickle-based reduction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.checks.base import Defect, in_communicating
from jaxmpi_lint.checks.mpi4py.summed_lists import summed_lists
from jaxmpi_lint.checks.mpi4py.unwritten_operands import unwritten_operands
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def _operands(function: Function) -> Iterator[Defect]:
    """The defects of operands and operators in one function."""
    yield from summed_lists(function)
    yield from unwritten_operands(function)


class OperandWithoutOperator(CheckRule):
    """Operand of a pickle-based reduction.

    ## What it does
    Reports `comm.allreduce`, `reduce`, `scan` or `exscan` of objects that the operator cannot combine: dicts, sets,
    None and objects of the project without `__add__` in a sum. Also a sum of lists whose items are meant: lists of
    counters, `[a, b]` where the program reads two items of the result, and a result that is paired with as many names
    as one rank has items, or of which the items of the first rank alone are read. Also an `op` that is no operator: a
    text, None, `sum`, or a Python function in an upper-case call. Also an operator of the program in an upper-case call
    whose function does not write into its second operand, but binds the name to a new array or returns one.

    ## Why is this bad?
    mpi4py computes the operators of lower-case reductions in Python: `SUM` is `x + y`. Where there is no such
    operation, the ranks that combine operands raise `TypeError`, and the others wait for them. For lists, `+` joins:
    the result holds the items of all ranks one after the other, and its first part is the list of rank 0. The function
    of an operator on buffers returns nothing: the result is what it leaves in the second operand.

    ## Example
    ```python
    counts = [0] * bins
    for value in values:
        counts[bin_of(value)] += 1
    counts = comm.allreduce(counts, op=MPI.SUM)
    ```

    ## Use instead
    ```python
    counts = np.zeros(bins, dtype=int)
    for value in values:
        counts[bin_of(value)] += 1
    comm.Allreduce(MPI.IN_PLACE, counts, op=MPI.SUM)
    ```

    ## Confidence
    High where the type of the operand is known, and for functions that do nothing with the second operand but read it
    by functions of Python and numpy. Medium for lists of counters: lists of constants whose items are added
    to, of a length that does not depend on the rank; and for lists in the call of which the program reads no more items
    than one rank passes. `collections.Counter` is not reported, which adds its counts, nor are lists that are
    lengthened.

    ## Known false negatives
    Objects of other libraries; lists that a function makes or fills; extrema of lists, which Python compares as
    a whole.

    ## References
    mpi4py, predefined operators for Python objects. Python language reference, section 3.3.8. MPI 4.1, section 6.9.5
    (`MPI_Op_create`).
    """

    code = "JM217"
    name = "operand-without-operator"
    severity = Severity.ERROR
    detect = in_communicating(_operands)
    message = "`{d.method}` joins the lists `{d.text}` of all ranks and does not add their items"
    remedy = "pass a numpy array, whose elements are added"
    variants: ClassVar = {
        "joined": Variant(severity=Severity.WARNING),
        "unwritten": Variant(
            "the function of the operator `{d.text}` {d.reason}, in which MPI expects the result",
            "write into the second operand, as in `second[:] = ...`",
        ),
    }

    VALID = (
        """
        from collections import Counter
        from mpi4py import MPI


        class Mean:
            def __init__(self, count, total):
                self.count = count
                self.total = total

            def __add__(self, other):
                return Mean(self.count + other.count, self.total + other.total)


        comm = MPI.COMM_WORLD
        words = Counter("abc")
        words["a"] += comm.rank
        print(comm.allreduce(words), comm.allreduce(Mean(1, comm.rank)))
        print(comm.allreduce({comm.rank}, op=MPI.BOR), comm.allreduce(comm.rank, op=max))
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rows = [0.0] * (12 // comm.size)
        for row in range(len(rows)):
            rows[row] += row
        found = []
        for row in range(comm.rank, 12, comm.size):
            found.append(row)
        print(comm.allreduce(rows), comm.reduce(found, op=MPI.SUM, root=0))
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        total = MPI.COMM_WORLD.reduce(MPI.COMM_WORLD.rank, op=sum, root=0)  #! JM217
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        counts = {}
        for word in ("a", "b"):
            counts[word] = counts.get(word, 0) + comm.rank
        print(comm.allreduce(counts, op=MPI.SUM))  #! JM217
        """,
        """
        from dataclasses import dataclass
        from mpi4py import MPI


        @dataclass
        class Mean:
            count: int = 0
            total: float = 0.0


        comm = MPI.COMM_WORLD
        mean = comm.reduce(Mean(1, comm.rank), root=0)  #! JM217
        """,
        """
        from mpi4py import MPI


        class Histogram:
            def __init__(self, bins):
                self.counts = [0] * bins

            def add(self, value):
                self.counts[int(value)] += 1

            def merge(self, comm):
                self.counts = comm.allreduce(self.counts, op=MPI.SUM)  #! JM217


        histogram = Histogram(16)
        histogram.add(MPI.COMM_WORLD.rank % 16)
        histogram.merge(MPI.COMM_WORLD)
        """,
    )
