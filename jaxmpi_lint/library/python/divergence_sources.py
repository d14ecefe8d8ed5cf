"""Values from outside the communication libraries: sources of divergence, and functions that propagate it."""

from __future__ import annotations

from jaxmpi_lint.library.levels import Level, Source

ENVIRONMENT_READS = frozenset({"os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault"})

HOST = "name of this host"
"""Why the names of hosts differ; processes of one host have the same."""

TEMPORARY_NAME = "temporary name of this process"

_SECRETS = ("token_hex", "token_urlsafe", "token_bytes", "randbelow", "randbits")
_PATH_TESTS = ("exists", "is_dir", "is_file", "is_mount", "is_symlink", "lstat", "samefile", "stat")
_PATH_LISTINGS = ("glob", "iterdir", "rglob", "walk")
_LISTINGS = tuple(
    "os.listdir os.scandir glob.glob glob.iglob tensorflow.io.gfile.glob tensorflow.io.gfile.listdir".split()
)
_NUMPY_RANDOM = tuple(
    "binomial choice exponential normal permutation poisson rand randint randn random random_sample standard_normal"
    " uniform".split()
)
_GENERATOR = tuple("choice exponential integers normal permutation poisson random standard_normal uniform".split())
_RANDOM = tuple(
    "betavariate choice choices expovariate gauss getrandbits normalvariate randint random randrange sample"
    " uniform".split()
)

DIVERGENT_CALLS: dict[str, tuple[Level, Source, str]] = {
    **dict.fromkeys(
        (
            "time.time",
            "time.perf_counter",
            "time.monotonic",
            "time.process_time",
            "time.time_ns",
            "time.ctime",
            "time.perf_counter_ns",
            "time.monotonic_ns",
            "datetime.datetime.now",
            "datetime.datetime.utcnow",
            "obspy.UTCDateTime.now",
            "mpi4py.MPI.Wtime",
        ),
        (Level.LOCAL, Source.CLOCK, "local clock"),
    ),
    **dict.fromkeys(
        ("os.getpid", "uuid.uuid4", "uuid.uuid1", *(f"secrets.{name}" for name in _SECRETS)),
        (Level.LOCAL, Source.MACHINE, "identity of this process"),
    ),
    **dict.fromkeys(
        (f"tempfile.{name}" for name in ("NamedTemporaryFile", "TemporaryDirectory", "mkdtemp", "mkstemp", "mktemp")),
        (Level.LOCAL, Source.MACHINE, TEMPORARY_NAME),
    ),
    **dict.fromkeys(
        ("socket.gethostname", "platform.node", "os.uname", "mpi4py.MPI.Get_processor_name"),
        (Level.LOCAL, Source.MACHINE, HOST),
    ),
    **dict.fromkeys(
        (*_LISTINGS, *(f"pathlib.Path.{name}" for name in _PATH_LISTINGS)),
        (Level.ORDER, Source.LISTING, "file listing in file-system order"),
    ),
    **dict.fromkeys(
        (
            *(f"os.path.{name}" for name in ("exists", "getmtime", "getsize", "isdir", "isfile", "islink", "lexists")),
            "os.access",
            "os.stat",
            *(f"pathlib.Path.{name}" for name in _PATH_TESTS),
            *(f"tensorflow.io.gfile.{name}" for name in ("exists", "isdir", "stat")),
        ),
        (Level.LOCAL, Source.FILES, "file-system state seen by this process"),
    ),
    **dict.fromkeys(
        (
            *(f"random.{name}" for name in _RANDOM),
            *(f"numpy.random.{name}" for name in _NUMPY_RANDOM),
            *(f"numpy.random.default_rng.{name}" for name in _GENERATOR),
            *(f"numpy.random.RandomState.{name}" for name in _NUMPY_RANDOM),
            *(f"random.Random.{name}" for name in _RANDOM),
            "os.urandom",
        ),
        (Level.LOCAL, Source.RANDOM, "per-process random number"),
    ),
}
"""Calls whose results differ between processes, and why. Random numbers differ where no seed is set."""

WEAK_CONTAINERS = frozenset(
    f"weakref.{name}" for name in ("WeakKeyDictionary", "WeakSet", "WeakValueDictionary", "ref")
)
"""Containers that lose their contents when the garbage collector of the process runs."""

PATH_METHODS = frozenset("absolute expanduser joinpath resolve with_name with_stem with_suffix".split())
"""Methods of a path that return a path."""

SHOWN_AS_TEXT = frozenset({"strftime", "isoformat", "ctime"})
"""Methods of times that return a text."""

PURE_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes chr complex dict divmod enumerate filter float format frozenset hex int iter len"
    " list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple zip".split()
)
"""Builtins whose result depends on their arguments alone."""

PURE_PACKAGES = (
    "numpy.",
    "jax.numpy.",
    "jax.random.",
    "math.",
    "operator.",
    "itertools.",
    "functools.reduce",
    "os.path.join",
)
"""Prefixes of functions that propagate the divergence of their arguments."""

ORDER_BLIND = frozenset({"sorted", "len", "min", "max", "sum", "any", "all", "numpy.unique", "numpy.sort"})
"""Functions whose result does not depend on the order of their argument."""

TEXT_FUNCTIONS = frozenset({"os.path.join", "repr", "str"})
"""Functions that return a string, which is hardly ever empty."""

SHAPED_BY_ARGUMENTS = frozenset(
    f"{package}.{name}" for package in ("numpy", "jax.numpy") for name in ("zeros", "ones", "empty", "full", "arange")
)
"""Constructors whose arguments' content becomes the structure of the result."""

NUMPY_RANDOM = "numpy.random."
"""Prefix of numpy's random generators."""

SIZE_OF_RANDOM = {"integers": 2, "normal": 2, "randint": 2, "random": 0, "random_sample": 0, "uniform": 2}
"""Positions of the argument ``size`` of functions of `numpy.random`; a number makes an array of one dimension."""
