"""Calls that can fail on one process alone, with their exceptions: files, their contents, subprocesses."""

from __future__ import annotations

_FILES = ("OSError",)
_MAKING = ("OSError", "FileExistsError")  # all but the first
_REMOVING = ("OSError", "FileNotFoundError")  # all but the first
_CONTENTS = ("OSError", "ValueError", "EOFError", "json.JSONDecodeError", "pickle.UnpicklingError")
_STORES = ("OSError", "tensorflow.errors.OpError")
_PROGRAMS = ("OSError", "subprocess.CalledProcessError", "subprocess.TimeoutExpired")


def _table(names: str, failures: tuple[str, ...], prefix: str = "") -> dict[str, tuple[str, ...]]:
    return dict.fromkeys((prefix + name for name in names.split()), failures)


LOCAL_FAILURES: dict[str, tuple[str, ...]] = {
    **_table("open io.open gzip.open bz2.open lzma.open codecs.open tarfile.open zipfile.ZipFile", _FILES),
    **_table(
        "chmod listdir open replace scandir stat truncate utime path.getsize path.getmtime",
        _FILES,
        "os.",
    ),
    **_table("link makedirs mkdir symlink", _MAKING, "os."),
    **_table("remove removedirs rename renames rmdir unlink", _REMOVING, "os."),
    **_table("copy copy2 copyfile copytree disk_usage make_archive move rmtree unpack_archive", _FILES, "shutil."),
    **_table("mkdtemp mkstemp NamedTemporaryFile TemporaryDirectory TemporaryFile", _FILES, "tempfile."),
    **_table("save savez savez_compressed savetxt memmap", _FILES, "numpy."),
    **_table("load loadtxt genfromtxt fromfile", _CONTENTS, "numpy."),
    **_table("load pickle.load cPickle.load dill.load joblib.load", _CONTENTS),
    **_table("json.load tomllib.load toml.load yaml.load yaml.safe_load yaml.full_load", _CONTENTS),
    **_table("json.dump pickle.dump yaml.dump joblib.dump torch.save", _FILES),
    **_table("torch.load h5py.File netCDF4.Dataset zarr.open xarray.open_dataset sqlite3.connect", _CONTENTS),
    **_table("read_csv read_excel read_feather read_hdf read_json read_parquet read_pickle", _CONTENTS, "pandas."),
    **_table("loadmat savemat netcdf_file wavfile.read", _CONTENTS, "scipy.io."),
    **_table("PIL.Image.open imageio.imread imageio.v2.imread cv2.imread matplotlib.pyplot.savefig", _CONTENTS),
    **_table("astropy.io.fits.open astropy.table.Table.read soundfile.read", _CONTENTS),
    **_table("run call check_call check_output Popen", _PROGRAMS, "subprocess."),
    **_table("urllib.request.urlopen urllib.request.urlretrieve socket.create_connection", _FILES),
    **_table("get post put delete request", _FILES, "requests."),
    **_table("open open_files filesystem core.url_to_fs core.get_fs_token_paths", _STORES, "fsspec."),
    **_table("GFile copy makedirs mkdir remove rename rmtree stat", _STORES, "tensorflow.io.gfile."),
}
"""Calls by canonical name, and the exceptions with which they fail on one process alone."""

LOCAL_FAILURE_METHODS: dict[str, tuple[str, ...]] = {
    **_table("read_text write_text read_bytes write_bytes iterdir", _FILES),
    **_table("mkdir symlink_to hardlink_to", _MAKING),
    **_table("rmdir unlink", _REMOVING),
    **_table("to_csv to_hdf to_parquet to_pickle savefig tofile read_table", _FILES),
}
"""Methods that no other kind of object has, and their exceptions."""

_CODES = ("ValueError", "json.JSONDecodeError")
_ALGEBRA = ("numpy.linalg.LinAlgError", "scipy.linalg.LinAlgError", "ValueError")

OWN_FAILURES: dict[str, tuple[str, ...]] = {
    **_table("json.loads tomllib.loads", _CODES),
    **_table("pickle.loads", ("pickle.UnpicklingError", "EOFError")),
    **_table("max min statistics.mean statistics.stdev random.choice", ("ValueError", "IndexError")),
    **_table("math.sqrt math.log math.log10 math.log2 math.acos math.asin", ("ValueError",)),
    **_table("cholesky eig eigh eigvals inv pinv solve svd", _ALGEBRA, "numpy.linalg."),
    **_table("cholesky cho_factor eig eigh inv lu_factor solve svd", _ALGEBRA, "scipy.linalg."),
}
"""Functions that fail for some values: on one process alone if the value differs. A handler must name the exception."""

OWN_OPERATORS: dict[str, tuple[str, ...]] = dict.fromkeys(("/", "//", "%"), ("ZeroDivisionError",))
"""Operators that fail for some right operands."""

OWN_ELEMENTS = ("KeyError", "IndexError")
"""Exceptions of the access to an element that some processes do not have."""

OF_COMPUTATIONS = frozenset(
    "ArithmeticError Exception FloatingPointError OverflowError RuntimeError ValueError ZeroDivisionError"
    " numpy.linalg.LinAlgError scipy.linalg.LinAlgError".split()
)
"""Exceptions of computations, which fail for some data."""

OF_NUMBERS = OF_COMPUTATIONS - {"Exception", "RuntimeError", "ValueError"}
"""Those of them that are about numbers alone: the program expects that a computation fails."""

TRAPS: dict[str, tuple[str, ...]] = {"numpy.errstate": ("FloatingPointError",)}
"""Context managers that make computations fail for some values where an argument is ``TRAPPED``."""

TRAPPED = "raise"

INTERRUPTS = frozenset({"KeyboardInterrupt"})
"""Exceptions of a signal, which arrives at a different point of the program on each process."""

OWN_FILES = ("FileNotFoundError", "PermissionError")
"""Exceptions of operations on a per-process file; those on a shared file fail on all processes."""

BROAD = frozenset({"Exception", "BaseException"})
"""Handlers that catch every failure."""

HARMLESS = frozenset(
    "print len int float str repr bool isinstance hasattr getattr range enumerate zip min max sum sorted list tuple"
    " dict set abs round type super format"
    " h5py.get_config h5py.h5.get_config mpi4py.get_config mpi4py.get_include importlib.util.find_spec".split()
)
"""Calls that hardly fail, or fail on every process: they inspect objects, or the build of a library."""

ALONE = frozenset({"OSError", "MemoryError", "EOFError", "UnicodeError"})
"""Exception classes for the state of one process or its machine, derived classes included."""

ALIKE = frozenset(
    {
        "ArithmeticError",
        "AttributeError",
        "GeneratorExit",
        "ImportError",
        "KeyboardInterrupt",
        "NameError",
        "NotImplementedError",
        "StopAsyncIteration",
        "StopIteration",
        "SyntaxError",
        "SystemExit",
        "Warning",
    }
)
"""Exception classes for the program, its installation or its input: equal, or possibly equal, on all processes."""
