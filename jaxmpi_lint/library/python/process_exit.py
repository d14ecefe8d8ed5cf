"""Ends of Python programs: calls that exit the interpreter, end processes, or run at exit.

Facts from Python's documentation of ``sys``, ``os``, ``atexit`` and ``contextlib``.
"""

from __future__ import annotations

REGISTER_AT_EXIT = "atexit.register"
"""Registers a function that runs when the interpreter exits."""

ORIGINAL_HOOK = "sys.__excepthook__"
"""The exception hook of the interpreter, which prints the traceback."""

SUPPRESS = "contextlib.suppress"
"""The context manager that suppresses certain exceptions."""

ENDS_PROCESSES = frozenset({"os._exit", "os.abort", "os.kill", "os.killpg"})
"""Functions that end a process without raising an exception."""

RAISES_SYSTEM_EXIT = frozenset({"sys.exit", "exit", "quit"})
"""Functions that raise ``SystemExit``."""

KILLS_JOB = frozenset({"os._exit", "os.abort", "_exit"})
"""Functions that end a process without `MPI_Finalize`, under all their names.

`mpirun` of Open MPI and `mpiexec` of MPICH then end the other processes of the job, as after `MPI_Abort`.
"""

LEAVES_INTERPRETER = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit", "builtins.exit", "builtins.quit"})
"""Functions after which the process executes nothing more of the calling function, under all their names."""
