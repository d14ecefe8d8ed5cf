"""JM509: environment variable set after it was read."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_modules
from jaxmpi_lint.checks.mpi4jax.late_environment import earlier, late_settings
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule, Example, Variant


class EnvSetTooLate(CheckRule):
    """Environment variable set after it was read.

    ## What it does
    Reports assignments to `os.environ` (and `setdefault`, `update`, `os.putenv`) of variables that JAX, XLA, CUDA or
    mpi4jax have already read: `JAX_*` options and `MPI4JAX_DEBUG` after the import, `CUDA_VISIBLE_DEVICES` and
    `XLA_FLAGS` after the first use of JAX's backend, `MPI4JAX_USE_CUDA_MPI` after the first operation.

    ## Why is this bad?
    The assignment silently has no effect: all ranks of a node compute on GPU 0, a run that should use MPI uses gloo, a
    benchmark of GPU-aware MPI measures host copies, double precision stays off.

    ## Example
    ```python
    import os

    import jax

    os.environ["JAX_ENABLE_X64"] = "1"
    ```

    ## Use instead
    ```python
    import os

    os.environ["JAX_ENABLE_X64"] = "1"

    import jax
    ```

    ## Fix safety
    The fix moves a constant assignment in the module body before the first import that loads JAX. It is unsafe, because
    other modules may have imported JAX before.

    ## Confidence
    High: the import or use comes first on every path in the same file. For `XLA_FLAGS` and `CUDA_VISIBLE_DEVICES`, an
    assignment before the first use of a backend is correct, even after the import. Silent in files that start
    subprocesses or copy the environment for them, for variables that are removed again, for options that the file also
    sets with `jax.config.update`, and for device selection in a file that imports a different GPU library as well.

    ## Known false negatives
    A backend that was started in a different file; an assignment in a function of a module that does not import JAX.

    ## Suppression
    `# jaxmpi-lint: ignore[JM509] reason`.

    ## References
    JAX, "Configuration options": environment variables are read at import. mpi4jax 0.9, "Installation": CUDA-aware MPI.
    """

    code = "JM509"
    name = "env-set-too-late"
    severity = Severity.ERROR
    replaces = ("JM618",)
    fix = Applicability.UNSAFE
    detect = in_modules(late_settings)
    repair = earlier
    message = "`{d.name}` is set too late: it was read when {d.moment}"
    variants: ClassVar = {
        "JAX": Variant(remedy='set it before the first import of jax, or call `jax.config.update("{d.option}", ...)`'),
        "MPI4JAX": Variant(remedy="set it before the import of mpi4jax, preferably in the job script"),
        "BACKEND": Variant(
            remedy="set it before the first use of JAX's devices or arrays, preferably in the job script"
        ),
        "OPERATION": Variant(remedy="set it before the first mpi4jax operation, preferably in the job script"),
    }

    VALID = (
        """import os

os.environ["JAX_ENABLE_X64"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import jax
import mpi4jax
""",
        """import os

import jax
from mpi4py import MPI

os.environ["CUDA_VISIBLE_DEVICES"] = str(MPI.COMM_WORLD.Get_rank())
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
jax.config.update("jax_enable_x64", True)
print(jax.devices())
""",
    )
    INVALID = (
        Example(
            """import os

import jax

os.environ["JAX_ENABLE_X64"] = "1"  #! JM509
print(jax.devices())
""",
            """import os

os.environ["JAX_ENABLE_X64"] = "1"
import jax

print(jax.devices())
""",
        ),
        """import os

import jax.numpy as jnp
from mpi4py import MPI


def main():
    x = jnp.ones(3)
    os.environ["CUDA_VISIBLE_DEVICES"] = str(MPI.COMM_WORLD.Get_rank())  #! JM509
    return x
""",
    )
