"""JM517: arrays whose dtype mpi4jax cannot send, or for which the reduction operator is not defined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.arrays.jax_dtype_flow import KEY
from jaxmpi_lint.analysis.arrays.operand_dtypes import SentArray, SentTypes
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.library.jax_dtypes import NARROW
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_ARITHMETIC = frozenset({"SUM", "PROD"})
_ORDER = frozenset({"MAX", "MIN"})
_LOGICAL = frozenset({"LAND", "LOR", "LXOR"})
_BITWISE = frozenset({"BAND", "BOR", "BXOR"})
_PAIRS = frozenset({"MAXLOC", "MINLOC"})
_DEFINED = {
    "bool": _LOGICAL,
    "complex": _ARITHMETIC,
    "float": _ARITHMETIC | _ORDER,
    "int": _ARITHMETIC | _ORDER | _LOGICAL | _BITWISE,
}
_OPERATORS = _ARITHMETIC | _ORDER | _LOGICAL | _BITWISE | _PAIRS


class UnsupportedDtype(Rule):
    """Dtype that mpi4jax cannot send, or cannot reduce with the operator.

    ## What it does
    Reports operations of mpi4jax that are given `float16`, `bfloat16`, 8-bit and narrower floats, integers of less than
    8 bits, or keys of `jax.random.key`; and reductions with an operator that MPI does not define for the dtype: `SUM`,
    `MAX` and the like of truth values, logical and bitwise operators of floats, `MAX` and `MIN` of complex numbers,
    `MAXLOC` and `MINLOC`.

    ## Why is this bad?
    There is no basic MPI type for those dtypes, and mpi4jax raises `RuntimeError: Unknown MPI type` when the operation
    is compiled. An operator that is not defined for the type is found out by the MPI library only: mpi4jax then aborts
    the whole job.

    ## Example
    ```python
    gradient = mpi4jax.allreduce(gradient.astype(jnp.bfloat16), op=MPI.SUM, comm=comm)
    converged = mpi4jax.allreduce(jnp.all(error < 1e-6), op=MPI.MIN, comm=comm)
    ```

    ## Use instead
    ```python
    gradient = mpi4jax.allreduce(gradient.astype(jnp.float32), op=MPI.SUM, comm=comm)
    converged = mpi4jax.allreduce(jnp.all(error < 1e-6), op=MPI.LAND, comm=comm)
    ```

    ## How sure
    High where the function that communicates shows the dtype, medium where a caller passes the array. Silent for
    dtypes that are chosen elsewhere, for operators that a program makes itself, and where two ways lead to different
    dtypes.

    ## Known misses
    Dtypes in configurations, in containers and fields of objects, results of functions of the project; arrays that are
    passed on more than once.

    ## References
    mpi4jax, the table of types in its `utils` (0.9: float32 to complex128, integers of 8 to 64 bits, bool); MPI 4.1,
    section 6.9.2: which predefined operators are defined for which types.
    """

    code = "JM517"
    name = "unsupported-dtype"
    severity = Severity.ERROR

    VALID = (
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        def mean(x, comm):
            half = x.astype(jnp.bfloat16)
            total = mpi4jax.allreduce(half.astype(jnp.float32), op=MPI.SUM, comm=comm)
            return total.astype(jnp.bfloat16) / comm.size
        """,
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        def everywhere(error, comm):
            converged = jnp.all(error < 1e-6)
            return mpi4jax.allreduce(converged, op=MPI.LAND, comm=comm)
        """,
    )
    INVALID = (
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        def mean(x, comm):
            total = mpi4jax.allreduce(x.astype(jnp.bfloat16), op=MPI.SUM, comm=comm)  #! JM517
            return total / comm.size
        """,
        """
        import jax
        import jax.numpy as jnp
        import mpi4jax as mj
        from mpi4py import MPI

        comm = MPI.COMM_WORLD.Clone()

        @jax.jit
        def exchange(field):
            return mj.sendrecv(field, field, source=0, dest=0, comm=comm)  #! JM517

        def main():
            field = jnp.zeros((8, 8), dtype=jnp.float16)
            field = field.at[0].set(1.0) * 2
            return exchange(field)
        """,
    )

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each operation."""
        if not project.mentions(("mpi4jax",)):
            return
        types = SentTypes()
        for module in project.reported_modules():
            for function in module.functions() if module.mentions(("mpi4jax",)) else ():
                reported = set()
                for sent in types.of_function(function):
                    problem = _problem(sent)
                    if problem is not None and sent.bound.call.span not in reported:
                        reported.add(sent.bound.call.span)
                        yield self._report(function, sent, *problem)

    def _report(self, function: Function, sent: SentArray, message: str, remedy: str) -> Finding:
        steps = (Step(*sent.caller, "passes the array"),) if sent.caller is not None else ()
        return self.finding(
            function.module,
            sent.bound.call.span,
            message,
            steps=steps,
            remedy=remedy,
            confidence=Confidence.MEDIUM if steps else Confidence.HIGH,
        )


def _problem(sent: SentArray) -> tuple[str, str] | None:
    """What is wrong with an array, and the remedy."""
    assert sent.bound.operation is not None
    method = sent.bound.operation.method
    if sent.dtype == KEY:
        message = f"`{method}` of mpi4jax cannot send a key of `jax.random.key`: there is no MPI type for it"
        return message, "send `jax.random.key_data(key)` and make the key anew with `jax.random.wrap_key_data`"
    if sent.dtype in NARROW:
        message = f"`{method}` of mpi4jax raises for {sent.dtype}: there is no MPI type for it"
        wide = "int32" if "int" in sent.dtype else "float32"
        return message, f"send it as {wide}: `.astype(jnp.{wide})` before, and back behind"
    kind = sent.dtype.lstrip("u").rstrip("0123456789")
    if sent.reduction not in _OPERATORS or sent.reduction in _DEFINED.get(kind, _OPERATORS):
        return None
    message = f"MPI.{sent.reduction} is not defined for {_NAMES[kind]}: `{method}` aborts the job"
    return message, _REMEDIES[kind]


_NAMES = {"bool": "truth values", "complex": "complex numbers", "float": "floats", "int": "integers"}
_REMEDIES = {
    "bool": "reduce with MPI.LAND or MPI.LOR, or count with `.astype(jnp.int32)`",
    "complex": "reduce real numbers: `jnp.abs(x)`, or the parts one by one",
    "float": "reduce with MPI.SUM, MPI.PROD, MPI.MAX or MPI.MIN, or convert to integers first",
    "int": "gather the numbers with `allgather` and look for the place with `jnp.argmax`",
}
