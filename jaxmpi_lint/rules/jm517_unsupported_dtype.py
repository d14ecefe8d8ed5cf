"""JM517: arrays whose dtype mpi4jax or the reduction operator does not support."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.mpi4jax.unsupported_dtypes import unsupported_arrays
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class UnsupportedDtype(CheckRule):
    """Dtype not supported by mpi4jax or by the reduction operator.

    ## What it does
    Reports mpi4jax operations on `float16`, `bfloat16`, 8-bit and narrower floats, integers of fewer than 8 bits, or
    keys of `jax.random.key`; and reductions with an operator that MPI does not define for the dtype: `SUM`, `MAX` and
    similar on booleans, logical and bitwise operators on floats, `MAX` and `MIN` on complex numbers, `MAXLOC` and
    `MINLOC`.

    ## Why is this bad?
    There is no predefined MPI datatype for these dtypes, and mpi4jax raises `RuntimeError: Unknown MPI type` when the
    operation is compiled. An operator that is not defined for the datatype is detected only by the MPI library: mpi4jax
    then aborts the whole job.

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

    ## Confidence
    High where the dtype is known in the communicating function, medium where a caller passes the array. Silent for
    dtypes that are selected elsewhere, for user-defined operators, and where two paths lead to different dtypes.

    ## Known false negatives
    Dtypes in configurations, containers and attributes of objects; results of functions of the project; arrays that are
    passed through more than one call.

    ## References
    mpi4jax, table of types in its `utils` (0.9: float32 to complex128, integers of 8 to 64 bits, bool); MPI 4.1,
    section 6.9.2: predefined operators and the datatypes for which they are defined.
    """

    code = "JM517"
    name = "unsupported-dtype"
    severity = Severity.ERROR
    detect = in_communicating(unsupported_arrays)
    message = "MPI.{d.sent.reduction} is not defined for floats: `{d.method}` aborts the job"
    remedy = "reduce with MPI.SUM, MPI.PROD, MPI.MAX or MPI.MIN, or convert to integers first"
    variants: ClassVar = {
        "bool": Variant(
            "MPI.{d.sent.reduction} is not defined for booleans: `{d.method}` aborts the job",
            "reduce with MPI.LAND or MPI.LOR, or count with `.astype(jnp.int32)`",
        ),
        "complex": Variant(
            "MPI.{d.sent.reduction} is not defined for complex numbers: `{d.method}` aborts the job",
            "reduce real numbers: `jnp.abs(x)`, or the real and imaginary parts separately",
        ),
        "int": Variant(
            "MPI.{d.sent.reduction} is not defined for integers: `{d.method}` aborts the job",
            "gather the values with `allgather` and find the index with `jnp.argmax` or `jnp.argmin`",
        ),
        "key": Variant(
            "`{d.method}` of mpi4jax cannot send a key of `jax.random.key`: there is no MPI datatype for it",
            "send `jax.random.key_data(key)` and restore the key with `jax.random.wrap_key_data`",
        ),
        "narrow": Variant(
            "`{d.method}` of mpi4jax raises for {d.sent.dtype}: there is no MPI datatype for it",
            "send it as {d.wide}: `.astype(jnp.{d.wide})` before, and convert back afterwards",
        ),
    }

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
