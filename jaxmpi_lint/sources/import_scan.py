"""Imports without parsing: the imports of a file, and the files of the project that they resolve to."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

_STATEMENT = re.compile(
    rb"(?:^|[;:])[ \t]*(?:from[ \t]*((?:\.[ \t]*)*)([\w.]*)[ \t]*\bimport\b[ \t]*(\([^)]*\)?|(?:[^\n\\;]|\\\r?\n)*)"
    rb"|import[ \t]+((?:[^\n\\;]|\\\r?\n)*))",
    re.MULTILINE,
)
_COMMENT = re.compile(rb"#[^\n]*")
_ALIASED = re.compile(rb"^\s*([\w.*]+)(?:\s+as\s+\w+)?\s*$")

# Installed packages; a folder of the same name counts only if Python would find it first.
_INSTALLED = frozenset(
    "jax jaxlib numpy scipy mpi4py mpi4jax flax orbax optax equinox haiku chex torch tensorflow dask pandas h5py"
    " numba cupy petsc4py horovod ray pytest matplotlib".split()
)


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """``from <level dots><module> import <names>``; a plain ``import`` has no names."""

    module: str
    level: int = 0
    names: tuple[str, ...] = ()


def scan(data: bytes) -> list[ImportedModule]:
    """The imports of a file at any place; text that only looks like an import may be included."""
    found: list[ImportedModule] = []
    for dots, module, names, plain in _statements(data):
        if plain:
            found += [ImportedModule(name) for name in _names(plain)]
        elif dots or module:
            found.append(ImportedModule(module.decode("utf-8", "replace"), dots.count(b"."), _names(names)))
    return found


def _statements(data: bytes) -> Iterator[tuple[bytes, ...]]:
    """The parts of all imports; only lines that contain the word are read, and each import starts on such a line."""
    position = 0
    while (word_at := data.find(b"import", position)) >= 0:
        line = max(position, data.rfind(b"\n", 0, word_at) + 1)
        end = data.find(b"\n", word_at)
        found = _STATEMENT.search(data, line, end if end >= 0 else len(data))
        whole = _STATEMENT.match(data, found.start()) if found is not None else None
        if whole is not None:
            yield whole.groups(b"")
        position = whole.end() if whole is not None else max(end, word_at + 1)


def _names(text: bytes) -> tuple[str, ...]:
    bare = _COMMENT.sub(b"", text).replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").strip(b"() \t\r\n")
    matches = (_ALIASED.match(piece) for piece in bare.split(b","))
    return tuple(match[1].decode("utf-8", "replace") for match in matches if match)


class ModuleFinder:
    """Finds modules among the files of a project as Python does.

    An absolute import searches the importer's own folder (for a module of a package: the folder that holds the
    outermost package), then the configured source folders, then the root; a regular package or a module takes
    precedence over namespace packages. A package elsewhere in the project is found if its name is unique. A script in
    no regular package may be started from a folder between it and the root, for example where the root holds many
    programs, and with the folder of a module on its path, if one folder of scripts alone has a module of this name.
    Modules still not found may lie beside the importer inside a package: the folder of a script that is run there is
    searched as well, as it was for every import in Python 2.
    """

    def __init__(
        self, root: str, src: Sequence[str], files: Iterable[str], read: Callable[[str], bytes] | None = None
    ) -> None:
        """``read`` returns the bytes of a file; where it raises ``OSError``, the file's imports are unknown."""
        self._files = frozenset(files)
        self._read = read or _bytes_of
        self._beside: dict[tuple[str, str], bool] = {}
        self._folders: set[str] = set()
        for path in self._files:
            folder = os.path.dirname(path)
            while folder not in self._folders and len(folder) >= len(root):
                self._folders.add(folder)
                folder = os.path.dirname(folder)
        self._bases = tuple(dict.fromkeys(os.path.normpath(os.path.join(root, name)) for name in (*src, ".")))
        self._base_of: dict[str, str] = {}
        self._found: dict[tuple[str, str, int], tuple[str, str] | None] = {}
        self._from_base: dict[tuple[str, str], tuple[str, str] | None] = {}
        self._modules = frozenset(place for path in self._files for place in _places(path))
        self._elsewhere = self._packages_elsewhere()
        self._on_path = self._modules_elsewhere()

    def find(self, importer_path: str, dotted: str, level: int = 0) -> tuple[str, str] | None:
        """The file that contains a dotted name, and the rest of the name beyond that file; None outside the project."""
        key = (os.path.dirname(importer_path), dotted, level)
        if key not in self._found:
            self._found[key] = self._find(*key)
        return self._found[key]

    def _find(self, folder: str, dotted: str, level: int) -> tuple[str, str] | None:
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._below(folder, dotted.split(".") if dotted else [], True)
        key = base, _ = self.base(folder), dotted
        if key not in self._from_base:
            self._from_base[key] = self._absolute(base, dotted.split("."))
        found = self._from_base[key]
        if found is None and base == folder:
            found = self._above(folder, dotted.split("."))
        return self._neighbour(folder, dotted.split(".")) if found is None and base != folder else found

    def module_name(self, path: str) -> tuple[str, bool]:
        """The dotted name of a file, and whether it is a package's ``__init__``."""
        folder, file = os.path.split(path)
        stem = os.path.splitext(file)[0]
        base = self.base(folder)
        if base == folder:
            base = max((b for b in self._bases if folder.startswith(b + os.sep)), key=len, default=folder)
        parts = os.path.relpath(folder, base).split(os.sep) if folder != base else []
        if not all(part.isidentifier() for part in parts):
            parts = []
        if stem == "__init__" and parts:
            return ".".join(parts), True
        return ".".join((*parts, stem)), stem == "__init__"

    def base(self, folder: str) -> str:
        """The nearest folder, from ``folder`` upwards, that is not a regular package."""
        known = self._base_of.get(folder)
        if known is None:
            is_package = os.path.join(folder, "__init__.py") in self._files and os.path.dirname(folder) != folder
            known = self.base(os.path.dirname(folder)) if is_package else folder
            self._base_of[folder] = known
        return known

    def _absolute(self, own: str, parts: list[str]) -> tuple[str, str] | None:
        bases = dict.fromkeys((own, *self._bases))
        for base in bases:
            if self._regular(base, parts[0]):
                return self._below(base, parts)
        if parts[0] in _INSTALLED or parts[0] in sys.stdlib_module_names:
            return None
        for base in bases:
            found = self._below(base, parts)
            if found is not None:
                return found
        return self._below(self._elsewhere[parts[0]], parts) if parts[0] in self._elsewhere else None

    def _above(self, folder: str, parts: list[str]) -> tuple[str, str] | None:
        """A module below the nearest parent folder of a script that contains it: the program is started from there."""
        if parts[0] in _INSTALLED or parts[0] in sys.stdlib_module_names:
            return None
        while folder != os.path.dirname(folder) and os.path.dirname(folder) in self._folders:
            folder = os.path.dirname(folder)
            found = self._below(folder, parts)
            if found is not None:
                return found
        return self._below(self._on_path[parts[0]], parts) if parts[0] in self._on_path else None

    def _neighbour(self, folder: str, parts: list[str]) -> tuple[str, str] | None:
        """A module of the importer's own package that is imported as a top-level module."""
        name = parts[0]
        if name in _INSTALLED or name in sys.stdlib_module_names or not self._regular(folder, name):
            return None
        key = folder, name
        if key not in self._beside:
            self._beside[key] = not self._is_namesake(folder, name)
        return self._below(folder, parts) if self._beside[key] else None

    def _is_namesake(self, folder: str, name: str) -> bool:
        """Whether an installed package has the name as well.

        A module that imports its own name wraps that package, and a package whose files import the module relatively
        does not need an absolute import.
        """
        own = {os.path.join(folder, f"{name}.py"), os.path.join(folder, name, "__init__.py")}
        beside = {path for path in self._files if os.path.dirname(path) == folder} - own
        wraps = any(
            not item.level and item.module.partition(".")[0] == name
            for path in own & self._files
            for item in self._imports_of(path)
        )
        return wraps or any(_takes_relatively(item, name) for path in beside for item in self._imports_of(path))

    def _imports_of(self, path: str) -> list[ImportedModule]:
        try:
            return scan(self._read(path))
        except OSError:
            return []

    def _regular(self, base: str, name: str) -> bool:
        return (base, name) in self._modules

    def _below(self, folder: str, parts: list[str], relative: bool = False) -> tuple[str, str] | None:
        """The deepest module that the parts reach from a folder."""
        best: tuple[str, str] | None = None
        package = os.path.join(folder, "__init__.py")
        if relative and package in self._files:
            best = (package, ".".join(parts))
        for index, part in enumerate(parts):
            folder = os.path.join(folder, part)
            rest = ".".join(parts[index + 1 :])
            package, module = os.path.join(folder, "__init__.py"), f"{folder}.py"
            if package in self._files:
                best = (package, rest)
            elif module in self._files:
                return (module, rest)
            elif folder not in self._folders:
                break
        return best

    def _packages_elsewhere(self) -> dict[str, str]:
        homes: dict[str, set[str]] = {}
        for path in self._files:
            folder, file = os.path.split(path)
            if file == "__init__.py":
                outer = os.path.dirname(folder)
                if os.path.join(outer, "__init__.py") not in self._files:
                    homes.setdefault(os.path.basename(folder), set()).add(outer)
        return {name: bases.pop() for name, bases in homes.items() if len(bases) == 1}

    def _modules_elsewhere(self) -> dict[str, str]:
        """The folders of modules in no regular package whose names are unique in the project."""
        homes: dict[str, list[str]] = {}
        for folder, name in self._modules:
            homes.setdefault(name, []).append(folder)
        return {
            name: folders[0]
            for name, folders in homes.items()
            if len(folders) == 1 and os.path.join(folders[0], "__init__.py") not in self._files
        }


def _places(path: str) -> Iterator[tuple[str, str]]:
    """The folders in which the module of a file, or its regular package, is found, and its name there."""
    folder, file = os.path.split(path)
    yield folder, file.removesuffix(".py")
    if file == "__init__.py":
        yield os.path.split(folder)


def _takes_relatively(item: ImportedModule, name: str) -> bool:
    return item.level == 1 and (item.module.partition(".")[0] == name or (not item.module and name in item.names))


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@cache
def word(name: str) -> re.Pattern[bytes]:
    """A pattern for a name as a whole word."""
    return re.compile(rb"(?<!\w)" + re.escape(name.encode("utf-8")) + rb"(?!\w)")
