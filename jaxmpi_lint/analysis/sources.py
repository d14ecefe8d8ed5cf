"""Where values come from outside the communication libraries: what makes them diverge, and what passes them on."""

from __future__ import annotations

from jaxmpi_lint.analysis.values import Level

ENVIRONMENT_READS = frozenset({"os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault"})

DIVERGENT_CALLS: dict[str, tuple[Level, str]] = {
    **dict.fromkeys(
        (
            "time.time",
            "time.perf_counter",
            "time.monotonic",
            "time.process_time",
            "time.time_ns",
            "time.perf_counter_ns",
            "datetime.datetime.now",
            "datetime.datetime.utcnow",
            "mpi4py.MPI.Wtime",
        ),
        (Level.LOCAL, "clock of this process"),
    ),
    **dict.fromkeys(("os.getpid", "uuid.uuid4", "uuid.uuid1"), (Level.LOCAL, "identity of this process")),
    **dict.fromkeys(
        ("socket.gethostname", "platform.node", "os.uname", "mpi4py.MPI.Get_processor_name"),
        (Level.LOCAL, "name of this host"),
    ),
    **dict.fromkeys(
        ("os.listdir", "os.scandir", "glob.glob", "glob.iglob"),
        (Level.ORDER, "listing in the order of this file system"),
    ),
    **dict.fromkeys(
        ("os.path.exists", "os.path.isfile", "os.path.isdir", "os.access", "os.stat"),
        (Level.LOCAL, "state of the file system as this process sees it"),
    ),
    **dict.fromkeys(
        ("random.random", "random.randint", "random.choice", "random.getrandbits", "os.urandom"),
        (Level.LOCAL, "random number of this process"),
    ),
}
"""Calls whose results differ between processes, and why."""

PURE_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format frozenset hex int iter list"
    " map max min next oct ord pow range repr reversed round set slice sorted str sum tuple zip".split()
)
"""Builtins whose result depends on their arguments alone."""

PURE_PACKAGES = ("numpy.", "jax.numpy.", "math.", "operator.", "itertools.", "functools.reduce", "os.path.join")
"""Prefixes of functions that pass the divergence of their arguments on."""

ORDER_BLIND = frozenset({"sorted", "len", "min", "max", "sum", "any", "all", "numpy.unique", "numpy.sort"})
"""Functions whose result does not depend on the order of what they are given."""

STRUCTURE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype", "nbytes", "itemsize", "keys"})
"""Attributes that show the structure of a value, not its content."""

SHAPED_BY_ARGUMENTS = frozenset(
    f"{package}.{name}" for package in ("numpy", "jax.numpy") for name in ("zeros", "ones", "empty", "full", "arange")
)
"""Constructors whose arguments' content becomes the structure of the result."""
