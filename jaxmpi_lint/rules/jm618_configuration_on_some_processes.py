"""JM618: options that change compiled programs, set on only some processes."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.compile_options import partial_settings
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class ConfigurationOnSomeProcesses(CheckRule):
    """Compilation option set on only some processes.

    ## What it does
    Reports options that change the program that JAX compiles from a function, if they are set under a test of the rank
    or process index, or to a value that depends on it: `jax_enable_x64`, the precision of matrix products, the random
    number generator, the number of CPU devices and similar, as `jax.config` or environment variable, and `XLA_FLAGS`.

    ## Why is this bad?
    All processes must run the same programs. With 64-bit types on only one of them, the buffers of a collective differ
    in size: with mpi4jax the job aborts or sums garbage; in a multi-process JAX job one process crashes and the others
    hang until a timeout. Other options change results, the order of collectives, or the number of devices in a mesh.

    ## Example
    ```python
    if jax.process_index() == 0:
        jax.config.update("jax_enable_x64", True)  # for the statistics
    ```

    ## Use instead
    ```python
    jax.config.update("jax_enable_x64", True)
    ```

    ## Confidence
    High when the rank itself is tested, medium where the test depends on it through other values. Only projects that
    use mpi4jax (there, only dtype options) or several JAX processes are checked. Silent for options of logging,
    caching, debugging and dumps, where the other arm sets the same value, where the option is reset in the same arm,
    and where the other processes exit the program.

    ## Known false negatives
    Flags that are assembled elsewhere; `os.environ |= {...}`; context managers such as `jax.enable_x64`; launch scripts
    that export different variables to the processes (the sanitizer compares the environments at startup).

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations; "Configuration
    options"; mpi4jax documentation, "API": equal shapes and dtypes on all ranks.
    """

    code = "JM618"
    name = "configuration-on-some-processes"
    severity = Severity.ERROR
    sanitizer = ("JS501", "JS504")
    detect = in_project(partial_settings)
    message = "only some processes set {d.option}: the processes compile different programs"
    remedy = "set it on every process, before the first computation"
    variants: ClassVar = {
        "values": Variant("processes set {d.option} to different values: they compile different programs")
    }

    VALID = (
        """
        import jax

        jax.distributed.initialize()
        jax.config.update("jax_enable_x64", True)
        if jax.process_index() == 0:
            jax.config.update("jax_log_compiles", True)
            jax.config.update("jax_compilation_cache_dir", "/tmp/cache")
        """,
        """
        import os

        if int(os.environ["SLURM_PROCID"]) == 0:
            os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/hlo --xla_dump_hlo_as_text"

        import jax

        jax.distributed.initialize()
        """,
    )
    INVALID = (
        """
        import jax

        jax.distributed.initialize()
        if jax.process_index() == 0:
            jax.config.update("jax_enable_x64", True)  #! JM618
        """,
        """
        import jax

        class Job:
            def __init__(self):
                jax.distributed.initialize()
                self.index = jax.process_index()

            def prepare(self):
                if self.index == 0:
                    self.exact()

            def exact(self):
                jax.config.jax_default_matmul_precision = "highest"  #! JM618

        job = Job()
        job.prepare()
        """,
    )
