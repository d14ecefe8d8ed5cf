"""Functions that test for files, list them, create them, and form their paths.

Facts from Python's documentation of ``os``, ``os.path``, ``pathlib``, ``glob`` and ``shutil``, and from those of
TensorFlow's ``gfile``, numpy, pandas, h5py, netCDF4 and zarr. Methods are named without the object's class.
"""

from __future__ import annotations

LISTINGS = frozenset({"os.listdir", "os.scandir", "glob.glob", "glob.iglob"})
"""Functions that list files in the order of the file system."""

LISTING_METHODS = frozenset({"glob", "iterdir", "rglob"})
"""Methods of paths that list files in the same order."""

MAKEDIRS = "os.makedirs"
"""Creates a directory and its parents; its first parameter is ``name``, that of ``os.mkdir`` is ``path``."""

MAKES_DIRECTORY = frozenset({"os.mkdir", "os.makedirs"})
"""Functions that create a directory."""

LOOKS_FOR_DIRECTORY = frozenset({"os.path.exists", "os.path.isdir", "os.path.lexists"})
"""Functions that test whether a directory exists."""

LOOKING_METHODS = frozenset({"exists", "is_dir"})
"""Methods of paths that test whether a directory exists."""

SAME_PATH_OF_DIRECTORY = frozenset(
    {"str", "Path", "fspath", "PurePath", "expanduser", "abspath", "realpath", "resolve"}
)
"""Functions and methods, by their last name, whose result names the same directory."""

ASKING_METHODS = frozenset({"exists", "is_file", "is_dir"})
"""Methods of paths that test whether a file exists."""

OPENING = frozenset({"open", "io.open", "gzip.open", "h5py.File", "netCDF4.Dataset", "zarr.open", "bz2.open"})
"""Functions that open a file, whose mode determines whether they create it."""

MAKING_METHODS = frozenset({"mkdir", "touch", "write_text", "write_bytes", "symlink_to", "hardlink_to"})
"""Methods of paths that create the file."""

STORING_METHODS = frozenset({"to_csv", "to_hdf", "to_parquet", "to_pickle", "tofile", "savefig"})
"""Methods of arrays, tables and figures that write a file."""

SAME_FILE = frozenset(
    {"str", "abspath", "expanduser", "fspath", "realpath", "normpath", "as_posix", "resolve", "absolute"}
)
"""Functions and methods, by their last name, whose result names the same file."""

JOIN = ("os.path.join", "path.join")
"""Joins the components of a path, as it is commonly imported."""

PATH = "pathlib.Path"
"""The class of paths."""
