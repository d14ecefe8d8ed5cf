"""Cache of parsed files between runs, so that only changed files are parsed again.

One cache file for each source file, overwritten when that changes. The folder lies in the user's project, and a project
is never trusted: a cache file can only name the classes of the intermediate representation, so that reading it runs no
other code. Unreadable files count as absent.
"""

from __future__ import annotations

import builtins
import io
import operator
import pickle
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.sources.files import digest, make_folder, replace_file

KEPT = 2
"""Number of folders of other interpreters and releases that are kept."""

_CLASSES = {(found.__module__, found.__qualname__): found for found in vars(ir).values() if isinstance(found, type)}
_BUILTINS = ("complex", "Ellipsis")


def _reducer(kind: type) -> Callable[[Any], tuple[type, tuple[Any, ...]]]:
    """The serialised form of an object: a call of its class, half the time and size of its state by names."""
    names = [field.name for field in fields(kind) if field.init]
    held = operator.attrgetter(*names)
    return (lambda item: (kind, held(item))) if len(names) > 1 else lambda item: (kind, (held(item),))


_REDUCERS = {found: _reducer(found) for found in _CLASSES.values() if is_dataclass(found)}


@dataclass(frozen=True, slots=True)
class ParsedStore:
    """The parsed files of one project; ``environment`` is everything that determines how a file is parsed."""

    cache_folder: Path
    environment: str

    @property
    def folder(self) -> Path:
        """The folder for files of this environment."""
        return self.cache_folder / f"parsed-{self.environment}"

    def make_folder(self) -> None:
        """Create the folder; raises OSError."""
        make_folder(self.cache_folder)
        self.folder.mkdir(exist_ok=True)

    def load(self, path: str, name: str, is_package: bool, data: bytes, text: str) -> ir.Module | None:
        """The module parsed from a file with this content."""
        try:
            with open(self._file(path), "rb") as file:
                known = file.read(16) == _key(path, name, is_package, data)
                return _read(file, text) if known else None
        except Exception:  # any exception that a damaged file may raise
            return None

    def save(self, path: str, name: str, is_package: bool, data: bytes, dumped: bytes) -> None:
        """Store a serialised module (see `dump`); does nothing if the folder cannot be written."""
        with suppress(OSError):
            self.make_folder()
            replace_file(self._file(path), _key(path, name, is_package, data) + dumped)

    def prune(self) -> None:
        """Remove the folders of environments that are no longer used."""
        with suppress(OSError):
            others = [folder for folder in self.cache_folder.glob("parsed-*") if folder != self.folder]
            for folder in sorted(others, key=lambda other: other.stat().st_mtime_ns, reverse=True)[KEPT:]:
                shutil.rmtree(folder, ignore_errors=True)

    def _file(self, path: str) -> Path:
        return self.folder / digest(path.encode("utf-8", "surrogateescape"))


def dump(module: ir.Module) -> bytes:
    """A module without its text, which is in the file itself."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(replace(module, text=""))
    return buffer.getvalue()


def restore(dumped: bytes, text: str) -> ir.Module:
    """The module that was passed to `dump`; raises any exception that damaged bytes may cause."""
    return _read(io.BytesIO(dumped), text)


def _read(file: BinaryIO, text: str) -> ir.Module:
    module = _Unpickler(file).load()
    if not isinstance(module, ir.Module):
        raise pickle.UnpicklingError("not a parsed file")
    module.text = text
    return module


def _key(path: str, name: str, is_package: bool, data: bytes) -> bytes:
    """A 16-byte digest of the content of a file read as one module."""
    about = f"{path}\0{name}\0{is_package}\0".encode("utf-8", "surrogateescape")
    return bytes.fromhex(digest(about + data))


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins" and name in _BUILTINS:
            return getattr(builtins, name)
        found = _CLASSES.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a parsed file")
        return found
