"""JM618: options that change compiled programs, set on some processes only."""

from __future__ import annotations

from typing import ClassVar

from jaxmpi_lint.checks.base import in_project
from jaxmpi_lint.checks.jax.compile_options import partial_settings
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule, Variant


class ConfigurationOnSomeProcesses(CheckRule):
    """Option that changes compiled programs, set on some processes only.

    ## What it does
    Reports settings under a test of the rank or process index, or with a value that depends on it, of options with
    which JAX compiles another program from the same function: `jax_enable_x64`, the precision of products, the random
    number generator, the number of CPU devices and the like, as `jax.config` or environment variable, and `XLA_FLAGS`.

    ## Why is this bad?
    All processes have to run the same programs. With 64-bit types on one of them, the buffers of one collective differ
    in size: with mpi4jax the job is aborted or adds up garbage, with JAX processes one of them crashes and the others
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
    High when the rank itself is tested, medium where it acts through other values. Looked for only in projects that use
    mpi4jax (there, options of dtypes only) or several JAX processes. Silent for options of logging, caching, debugging
    and dumps, where the other side makes the same setting, where it is taken back in the same arm, and where the other
    processes leave the program.

    ## Known false negatives
    Flags that are put together elsewhere; `os.environ |= {...}`; context managers such as `jax.enable_x64`; launch
    scripts that export different variables to the processes (the sanitizer compares the environment at the start).

    ## References
    JAX documentation, "Introduction to multi-controller JAX": all processes run the same computations; "Configuration
    options"; mpi4jax documentation, "API": equal shapes and dtypes on all ranks.
    """

    code = "JM618"
    name = "configuration-on-some-processes"
    severity = Severity.ERROR
    sanitizer = ("JS501", "JS504")
    detect = in_project(partial_settings)
    message = "{d.option} is set by some processes only: they compile other programs than the rest"
    remedy = "make the setting on every process, before the first computation"
    variants: ClassVar = {
        "values": Variant("{d.option} is set to different values: they compile other programs than the rest")
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
