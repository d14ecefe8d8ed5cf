"""Which files belong to a library, decided by the folders where libraries are installed, never by a name in a path.

The monitor and `jaxmpi-sanitize report` run in the environment of the ranks (`-P` removes only the program's own folder
from `sys.path`, not those of PYTHONPATH), so they find the same folders. Only a folder that a program adds to
`sys.path` itself is a library folder in that process alone.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

from jaxmpi_lint.runtime.settings import import_hook

PACKAGES = ("mpi4py", "mpi4jax", "jax", "jaxlib")  # libraries also where they are built in place
MPI = ("mpi4py", "mpi4jax._src")  # never the line that a report of MPI calls names
JAX = ("jax._src", "jax.experimental")  # the same in a report of launches
OWN = "jaxmpi_lint.runtime"
_CYTHON = (".pyx", ".pxi", ".pxd")
_NAMES = ("site-packages", "dist-packages")


@lru_cache(4096)
def is_library(file: str) -> bool:
    """Whether a file belongs to an installed library, the interpreter or this sanitizer, not to the program."""
    if is_machinery(file) or is_part_of(file, *PACKAGES) or file.startswith(_libraries()):
        return True
    return file.endswith(_CYTHON) and not os.path.exists(file)  # relative to where the library was built


def is_machinery(file: str) -> bool:
    """Whether a file belongs to this sanitizer, or its frames to the interpreter's import system or calls."""
    return file.startswith("<frozen ") or file == "<shim>" or is_part_of(file, OWN)


def is_part_of(file: str, *names: str) -> bool:
    """Whether a file belongs to one of these packages or modules, given by their dotted names."""
    return any(file.startswith(base + os.sep) or file == base + ".py" for name in names for base in _bases(name))


def publish() -> None:
    """Find the folders again, because a package has been imported, and pass them to the native core."""
    from jaxmpi_lint.runtime import _native

    refresh()
    libraries = [*_libraries(), *_folders(PACKAGES)]
    _native.set_folders(libraries=libraries, mpi=_folders(MPI), jax=_folders(JAX), own=_folders((OWN,)))


def refresh() -> None:
    """Forget all folders: `sys.path` or the imported packages have changed."""
    for cached in (is_library, _libraries, _bases):
        cached.cache_clear()


def _folders(names: Iterable[str]) -> list[str]:
    return [base + os.sep for name in names for base in _bases(name)]


@cache
def _libraries() -> tuple[str, ...]:
    """The folders where libraries are installed; each ends with a separator."""
    paths = sysconfig.get_paths()
    found = [paths[name] for name in ("stdlib", "purelib", "platlib")]
    found += [*site.getsitepackages(), site.getusersitepackages(), *_added()]
    return tuple(dict.fromkeys(way + os.sep for folder in found for way in _ways(folder)))


def _added() -> Iterator[str]:
    """The entries of `sys.path` with installed libraries, as made by `pip install --target`.

    A folder that contains the program itself is none of them, whatever else is installed there.
    """
    program = os.path.join(_program(), "")
    for entry in sys.path:
        if not isinstance(entry, str) or not entry or program.startswith(os.path.join(os.path.realpath(entry), "")):
            continue
        if os.path.basename(entry.rstrip(os.sep)) in _NAMES or _has_distribution(entry):
            yield entry


def _program() -> str:
    """The real path of the folder of the script, or the working directory if a module or a command is run."""
    main = sys.modules.get("__main__")
    file, spec = _attribute(main, "__file__"), _attribute(main, "__spec__")
    try:
        return os.path.realpath(os.path.dirname(file) if isinstance(file, str) and spec is None else os.curdir)
    except OSError:  # the working directory has been removed
        return ""


def _has_distribution(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.name.endswith(".dist-info") for entry in entries)
    except OSError:
        return False


@cache
def _bases(name: str) -> tuple[str, ...]:
    """The folders of a package, or the file of a module without its suffix."""
    top, *rest = name.split(".")
    try:
        found = [os.path.join(place, *rest) for place in _places(top)]
    except Exception:  # of a finder or a module that is not Python's own
        return ()
    return tuple(dict.fromkeys(way for base in found for way in _ways(base)))


def _places(name: str) -> Sequence[str]:
    """Where a top-level package or module lies. Nothing of it is executed."""
    module = sys.modules.get(name)
    if module is not None:
        file, folders = _attribute(module, "__file__"), _attribute(module, "__path__")
    else:
        spec = _spec(name)
        file, folders = (spec.origin, spec.submodule_search_locations) if spec is not None else (None, None)
    if not isinstance(file, str):  # a namespace package, which may be any folder of that name
        return ()
    return [os.path.splitext(file)[0]] if folders is None else [str(folder) for folder in folders]


def _spec(name: str) -> ModuleSpec | None:
    """The spec of a module that is not imported. The finder of `arrival` is left out: it answers only once."""
    others: list[Any] = [finder for finder in sys.meta_path if not isinstance(finder, import_hook.Finder)]
    specs = (finder.find_spec(name, None) for finder in (PathFinder, *others))
    return next((spec for spec in specs if spec is not None and spec.has_location), None)


def _attribute(module: object, name: str) -> Any:
    """An attribute of a module, which is not loaded if it is lazy."""
    try:
        return object.__getattribute__(module, name)
    except AttributeError:
        return None


def _ways(path: str) -> tuple[str, ...]:
    """The ways in which the files below a path are named: as the import system does, normalised, and real."""
    try:
        full = os.path.join(os.getcwd(), path)
    except OSError:  # the working directory has been removed
        full = path
    return tuple(dict.fromkeys(way.rstrip(os.sep) for way in (full, os.path.abspath(full), os.path.realpath(full))))
