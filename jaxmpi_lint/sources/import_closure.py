"""Import closure: further files that matter because they import communicating names, determined from their bytes.

A name counts where it is imported, or occurs as a word in a file that imports its module. A file matters if one of its
top-level blocks contains both such a name and a possible source of divergence, or if a file with a source of divergence
uses one of its functions that contains a name. In a large project the other files are left out, most of which make the
same calls on all processes; in a small one they are read too, since data may differ in them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from jaxmpi_lint.sources.import_scan import ImportedModule, ModuleFinder, scan, word

MAX_SOURCES = 200_000
"""Bytes of imported files in which values may differ. In a large project too much of what is read matters
to no communication."""

MAX_USERS = 200_000
"""Bytes of files that use communicating names without a source of divergence."""

Edge = tuple[str, tuple[str, ...]]
"""An imported file, and the names taken from it; without names it is the module itself."""

# Names of ranks and of leading processes, orders that differ between processes, and tests of files.
_ROLES = (
    b"rank", b"RANK", b"process_i", b"host_i", b"is_root", b"master", b"main_process", b"is_main", b"is_primary",
    b"primary_process", b"chief", b"leader",
)  # fmt: skip
# Each starts with a literal, for which the regular expression engine has a fast search.
_OTHERWISE = tuple(
    re.compile(literal + b"(?<!" + before + literal + b")")
    for before, literals in (
        (rb"[.\w]", (rb"set\(", rb"frozenset\(")),
        (rb"\w", (rb"hash\(", rb"in \{", rb"exists\(", rb"isfile\(", rb"is_file\(", rb"isdir\(", rb"is_dir\(")),
        (rb"\w", (rb"os\.access\(",)),
    )
    for literal in literals
)
# A call of mpi4py under a tracer is a separate defect; JAX's own communication is correct there.
_TRACED = re.compile(rb"\bp?jit\b|[pv]map\b|grad\b|\blax\.|shard_map|mpi4jax")
_TOUCHES_JAX = re.compile(
    rb"^[A-Za-z_]\w*(?:: [^=\n]*)? = [^\n]{0,60}?\b(?:jnp|jax(?:\.random|\.numpy)?)\.\w+\(", re.MULTILINE
)
_STARTS = b"distributed.initialize"
_MAIN_GUARD = b"__main__"
_WRITES = re.compile(
    rb"\b(?:makedirs|mkdir|rmtree|unlink|savez?(?:_compressed|txt)?|savefig|write_text|write_bytes|dump)\("
    rb"|\bos\.(?:remove|rename|replace|rmdir)\(|\.to_(?:csv|hdf|pickle|json|parquet|netcdf|zarr)\("
    rb"|\b(?:open|File|Dataset)\([^\n]*?[\"'][rb+]*[wxa][rwxab+]*[\"']"
)
_SOURCE = re.compile(
    rb"\b(?:random|rng|time|datetime|getpid|uuid|environ|getenv|listdir|scandir|iterdir|glob|tempfile)\b"
)
_DEFINITION = re.compile(rb"(?:async )?(?:def|class)[ \t]+(\w+)")
_BLOCK = re.compile(rb"^(?=(?:def|class|async def|@)\b|@)", re.MULTILINE)


@dataclass(slots=True)
class _File:
    """Facts from the bytes of one file."""

    data: bytes
    edges: list[Edge] | None = None
    differs: bool | None = None
    asked: frozenset[bytes] = frozenset()
    mentions: bool = False

    def may_differ(self) -> bool:
        """Whether the file contains a possible source of divergence."""
        if self.differs is None:
            self.differs = _may_differ(self.data)
        return self.differs

    def is_source(self) -> bool:
        """Whether values of one process may come from the file."""
        return self.may_differ() or _SOURCE.search(self.data) is not None

    def has_any(self, words: frozenset[bytes]) -> bool:
        """Whether one of the words occurs in it; of a growing set, only new words are searched for."""
        if not self.asked <= words:
            self.asked, self.mentions = frozenset(), False
        self.mentions = self.mentions or _mentions(self.data, words - self.asked)
        self.asked = words
        return self.mentions


@dataclass(slots=True)
class Closure:
    """The import graph of a project's files, computed on demand."""

    finder: ModuleFinder
    _files: dict[str, _File] = field(default_factory=dict)
    _left: int = MAX_USERS  # bytes of `_further` files that may still be read

    def begin(self) -> None:
        """Begin to read the project again."""
        self._left = MAX_USERS

    def importers(
        self, exported: Mapping[str, set[str]], known: Collection[str], contents: Mapping[str, bytes]
    ) -> list[str]:
        """The files, beyond the ``known`` ones, that use a communicating name; ``exported`` has those of each file."""
        if not any(exported.values()):
            return []
        words = _words(exported.values())
        visible = self._with_reexports(exported, contents, words)
        of_mpi = {name for path, names in exported.items() if b"mpi4py" in contents.get(path, b"") for name in names}
        users = {
            path: names
            for path, data in contents.items()
            if path not in known
            and (_passes_all_on(path, data) or self._file(path, data).has_any(words))
            and (names := {name for edge in self.edges(path, data) for name in _taken(path, data, edge, visible)})
        }
        parting = {path for path, names in users.items() if _may_part(contents[path], names, bool(names & of_mpi))}
        differing = {path for path in known if _is_package(path) or self._file(path, contents[path]).may_differ()}
        deciding = parting | differing
        carried = {
            path: names if _is_package(path) else _carried(contents[path], names)
            for path, names in users.items()
            if path not in parting
        }
        between = {
            target
            for path in deciding
            for edge in self.edges(path, contents[path])
            if (target := edge[0]) in carried and _taken(path, contents[path], edge, carried)
        }
        return [path for path in users if path in parting or path in between] or self._further(users, contents)

    def _further(self, users: Mapping[str, object], contents: Mapping[str, bytes]) -> list[str]:
        """The other files that use a communicating name, or the programs among them, as far as there is room."""
        programs = [path for path in users if _MAIN_GUARD in contents[path]]
        for chosen in (list(users), programs):
            size = sum(len(contents[path]) for path in chosen)
            if size <= self._left:
                self._left -= size
                return chosen
        return []

    def imported_first(self, contents: Mapping[str, bytes], known: Collection[str]) -> list[str]:
        """Files that call the set-up of `jax.distributed`, and those that touch JAX when such a file imports them."""
        starting = {
            path: _carried(data, ("distributed.initialize",)) for path, data in contents.items() if _STARTS in data
        }
        words = _words(starting.values())
        callers = {
            path
            for path, data in contents.items()
            if _mentions(data, words) and any(_used(data, *edge, starting) for edge in self.edges(path, data))
        }
        targets = {target for path in {*starting, *callers} for target, _ in self.edges(path, contents[path])}
        touching = {path for path in targets if path in contents and _TOUCHES_JAX.search(contents[path])}
        return sorted((callers | touching) - set(known))

    def imported_writers(self, contents: Mapping[str, bytes], known: Collection[str]) -> list[str]:
        """Files that communicating ones import and that write or remove files, directly or through one other file."""
        return sorted(path for path in self._imported(contents, known) if _WRITES.search(contents[path]))

    def imported_sources(self, contents: Mapping[str, bytes], known: Collection[str]) -> list[str]:
        """Files that communicating ones import and in which values may differ; none if they are large."""
        found = [path for path in self._imported(contents, known) if self._file(path, contents[path]).is_source()]
        return sorted(found) if sum(len(contents[path]) for path in found) <= MAX_SOURCES else []

    def _imported(self, contents: Mapping[str, bytes], known: Collection[str]) -> set[str]:
        """The files that communicating ones import, directly or through one other file."""
        found: set[str] = set()
        ahead = [path for path in known if path in contents]
        for _ in range(2):
            targets = {target for path in ahead for target, _ in self.edges(path, contents[path])}
            ahead = sorted(path for path in targets if path in contents and path not in known)
            found.update(ahead)
        return found

    def edges(self, path: str, data: bytes) -> list[Edge]:
        """The files that a file imports."""
        file = self._file(path, data)
        if file.edges is None:
            file.edges = list(_resolve(self.finder, path, scan(plain(path, data))))
        return file.edges

    def _file(self, path: str, data: bytes) -> _File:
        known = self._files.get(path)
        if known is None or known.data is not data:
            known = self._files[path] = _File(data)
        return known

    def _with_reexports(
        self, exported: Mapping[str, set[str]], contents: Mapping[str, bytes], words: frozenset[bytes]
    ) -> dict[str, set[str]]:
        """The communicating names, including those that a package's ``__init__`` only re-exports."""
        visible = {path: set(names) for path, names in exported.items()}
        packages = [
            path
            for path, data in contents.items()
            if _is_package(path) and (b"*" in data or self._file(path, data).has_any(words))
        ]
        growing = True
        while growing:
            growing = False
            for path in packages:
                own = visible.setdefault(path, set())
                passed = {n for edge in self.edges(path, contents[path]) for n in _passed(*edge, visible)} - own
                own |= passed
                growing = growing or bool(passed)
        return visible


def _words(names: Iterable[Collection[str]]) -> frozenset[bytes]:
    return frozenset(name.encode() for some in names for name in some)


def _mentions(data: bytes, words: Collection[bytes]) -> bool:
    """A cheap test before the imports are scanned."""
    return any(word in data for word in words)


def plain(path: str, data: bytes) -> bytes:
    """Bytes for a search by words: the line breaks inside a notebook's strings are undone."""
    return data.replace(b"\\n", b"\n").replace(b'"', b"\n") if path.endswith(".ipynb") else data


def _resolve(finder: ModuleFinder, path: str, found: Iterable[ImportedModule]) -> Iterable[Edge]:
    for item in found:
        if not item.names:
            target = finder.find(path, item.module, 0)
            if target is not None:
                yield target[0], ()
            continue
        home = finder.find(path, item.module, item.level)
        if home is not None and not home[1]:
            yield home[0], item.names
        for name in item.names:
            below = finder.find(path, f"{item.module}.{name}" if item.module else name, item.level)
            if below is not None and not below[1] and below != home:
                yield below[0], ()


def _is_package(path: str) -> bool:
    return path.endswith("__init__.py") and os.path.basename(path) == "__init__.py"


def _passes_all_on(path: str, data: bytes) -> bool:
    """Whether a package re-exports all names of some modules without naming them."""
    return _is_package(path) and b"import *" in data


def _taken(path: str, data: bytes, edge: Edge, visible: Mapping[str, Collection[str]]) -> list[str]:
    """The communicating names that a file uses, and those that a package re-exports."""
    return _passed(*edge, visible) if _is_package(path) and "*" in edge[1] else _used(data, *edge, visible)


def _used(data: bytes, target: str, names: tuple[str, ...], visible: Mapping[str, Collection[str]]) -> list[str]:
    """The communicating names of an imported file that the importer imports or mentions."""
    communicating = visible.get(target, ())
    if names and "*" not in names:
        return [name for name in communicating if name in names]
    return [name for name in communicating if name.encode() in data and word(name).search(data)]


def _passed(target: str, names: tuple[str, ...], visible: Mapping[str, Collection[str]]) -> list[str]:
    """The communicating names that an import binds."""
    return [name for name in visible.get(target, ()) if name in names or "*" in names]


def _carried(data: bytes, names: Collection[str]) -> set[str]:
    """The top-level functions and classes of a file that mention one of the names."""
    wanted = [name.encode() for name in names]
    found = (_DEFINITION.search(block) for block in _BLOCK.split(data) if any(name in block for name in wanted))
    return {match[1].decode("utf-8", "replace") for match in found if match}


def _may_differ(text: bytes) -> bool:
    """Whether the text contains a possible source of divergence."""
    return any(role in text for role in _ROLES) or any(pattern.search(text) for pattern in _OTHERWISE)


def _may_part(data: bytes, names: Collection[str], traced: bool) -> bool:
    """Whether a top-level block contains one of the names and a possible source of divergence."""
    wanted = [name.encode() for name in names]
    return any(
        any(name in block for name in wanted) and (_may_differ(block) or (traced and _TRACED.search(block)))
        for block in _BLOCK.split(data)
    )
