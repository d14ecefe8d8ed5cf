"""JM128: method that is not called."""

from __future__ import annotations

from jaxmpi_lint.checks.base import in_functions
from jaxmpi_lint.checks.mpi4py.uncalled_method import called, uncalled_methods
from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import CheckRule


class UncalledMethod(CheckRule):
    """Method that is not called.

    ## What it does
    Reports methods of communicators, and functions such as `MPI.Finalize` and `jax.process_index`, that are named
    without parentheses: as a statement, in a comparison with a constant, as an operand, or as a test. Silent are
    statements in a `try` that expects an `AttributeError`: they look whether the library has the method.

    ## Why is this bad?
    A function is not equal to any number, so no rank passes the test `comm.Get_rank == 0`, and what the root was to do
    is done by none. `comm.Barrier` without parentheses orders nothing. The program ends normally.

    ## Example
    ```python
    if comm.Get_rank == 0:
        numpy.save("total.npy", total)
    comm.Barrier
    ```

    ## Use instead
    ```python
    if comm.Get_rank() == 0:
        numpy.save("total.npy", total)
    comm.Barrier()
    ```

    ## Fix safety
    Unsafe: the parentheses are added; some methods need arguments, and the program communicates where it did not.

    ## Confidence
    High.

    ## Known false negatives
    A name that is assigned first (`rank = comm.Get_rank`) or is compared with anything but a constant; methods of
    requests, windows and files.

    ## References
    Python language reference, section 6.10.1: functions are equal only to themselves; section 4.1: they are true.
    """

    code = "JM128"
    name = "uncalled-method"
    severity = Severity.ERROR
    fix = Applicability.UNSAFE
    detect = in_functions(uncalled_methods)
    repair = called
    message = "`{d.text}` is not called: {d.effect}"
    remedy = "add the parentheses"

    VALID = (
        """
        from mpi4py import MPI
        import jax

        comm = MPI.COMM_WORLD
        wait = comm.Barrier if comm.Get_size() > 1 else None
        actions = {"wait": comm.Barrier, "rank": jax.process_index}
        if comm.Get_rank() == 0 and comm.Barrier is not None and wait == comm.Barrier:
            print(comm.rank, comm.size > 1, comm.name == "MPI_COMM_WORLD")
        for action in actions.values():
            action()
        try:
            comm.Ibcast
        except AttributeError:
            print("an old MPI library")
        send = getattr(comm, "send", None) or comm.send
        if comm.rank == 0:
            send(1, dest=1)
        elif comm.rank == 1:
            comm.recv(source=0)
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.Get_rank == 0:  #! JM128
            print("the root")
        comm.Barrier  #! JM128
        last = comm.Get_size - 1  #! JM128
        if comm.Is_inter:  #! JM128
            print("two groups")
        if not MPI.Is_finalized:  #! JM128
            MPI.Finalize  #! JM128
        """,
        """
        import jax

        class Logger:
            def __init__(self):
                self.is_root = jax.process_index == 0  #! JM128


        def main():
            jax.distributed.initialize  #! JM128
            if jax.process_index == 0 and Logger().is_root:  #! JM128
                print("the first process")


        main()
        """,
    )
