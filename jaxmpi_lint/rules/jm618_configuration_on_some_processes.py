"""JM618: options that change compiled programs, set on some processes only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.jax.global_arrays import has_several_processes
from jaxmpi_lint.checks.base import link_steps
from jaxmpi_lint.checks.jax.compile_options import PartialSetting, partial_settings
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.library.environment import OF_DTYPES, OF_PROGRAMS
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program


class ConfigurationOnSomeProcesses(Rule):
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

    ## How sure
    High when the rank itself is tested, medium where it acts through other values. Looked for only in projects that use
    mpi4jax (there, options of dtypes only) or several JAX processes. Silent for options of logging, caching, debugging
    and dumps, where the other side makes the same setting, where it is taken back in the same arm, and where the other
    processes leave the program.

    ## Known misses
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

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each setting."""
        if has_several_processes(project):
            options = OF_PROGRAMS
        elif project.mentions(("mpi4jax",)):
            options = OF_DTYPES
        else:
            return
        for module in project.reported_modules():
            if module.mentions(("jax_", "JAX_", "XLA_FLAGS")):
                for function in module.functions():
                    yield from map(self._report, partial_settings(function, options))

    def _report(self, partial: PartialSetting) -> Finding:
        setting = partial.setting
        chain = partial.test.reason.chain() if partial.test.reason is not None else []
        steps = link_steps(chain)
        if partial.branch is not None:
            steps.append(Step(*partial.branch, "processes go different ways"))
        steps += [Step(*call, "this call comes to the setting") for call in partial.calls]
        shown = "XLA_FLAGS" if setting.name == "xla_flags" else f"`{setting.name}`"
        which = "is set by some processes only" if partial.branch is not None else "is set to different values"
        return self.finding(
            setting.function.module,
            setting.span,
            f"{shown} {which}: they compile other programs than the rest",
            steps=tuple(steps),
            remedy="make the setting on every process, before the first computation",
            confidence=Confidence.HIGH if len(chain) <= 1 and not partial.calls else Confidence.MEDIUM,
        )
