"""From files to modules: bytes, prefilter, parse, and the closure over the importers of what communicates."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint import imports
from jaxmpi_lint.config import Settings
from jaxmpi_lint.discovery import Entry
from jaxmpi_lint.parsing import Job, Parser, Problem
from jaxmpi_lint.prefilter import Prefilter

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.ir import Module
    from jaxmpi_lint.analysis.project import Project
    from jaxmpi_lint.rules.base import Finding
    from jaxmpi_lint.source import Source

LARGEST = 64 * 1024 * 1024  # bytes of a file that is opened at all
ROUNDS = 8  # of the import closure; a chain of re-exports is rarely longer than three
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Reading:
    """Everything that was read of a project. ``digests`` covers all files, ``sources`` those that were parsed."""

    project: Project
    digests: dict[str, str]
    sources: dict[str, Source]
    modules: dict[str, Module]
    findings: list[Finding]
    problems: list[Problem]


@dataclass(slots=True)
class Reader:
    """Reads the files of a project; keeps what it parsed, so that a second reading parses only what changed."""

    settings: Settings
    entries: Mapping[str, Entry]
    finder: imports.ModuleFinder
    parser: Parser
    progress: Progress | None = None
    _contents: dict[str, bytes] = field(default_factory=dict)
    _imported: dict[str, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)

    def read(self, reported: Collection[str], overrides: Mapping[str, bytes]) -> Reading:
        """Read the project, with the content of some files replaced."""
        problems: list[Problem] = []
        contents = self._load(overrides, problems)
        prefilter = Prefilter(self.settings)
        chosen = [path for path, data in contents.items() if prefilter.communicates(_plain(path, data))]
        self._parse(chosen, contents)
        project = self._project(chosen, reported)
        exported: dict[str, set[str]] = {}
        added = chosen
        for _ in range(ROUNDS):
            exported.update(project.communicating_names(added))
            added = self._importers(exported, set(chosen), contents)
            if not added:
                break
            self._parse(added, contents)
            chosen = chosen + added
            project = self._project(chosen, reported)
        results = [self.parser.results[path] for path in chosen]
        problems += [result.problem for result in results if result.problem]
        return Reading(
            project,
            {path: digest(data) for path, data in contents.items()},
            {result.path: result.source for result in results if result.source},
            {result.path: result.parsed.module for result in results if result.parsed},
            [finding for result in results if result.parsed for finding in result.parsed.findings],
            problems,
        )

    def _load(self, overrides: Mapping[str, bytes], problems: list[Problem]) -> dict[str, bytes]:
        contents: dict[str, bytes] = {}
        for path in sorted({*self.entries, *overrides}):
            data = overrides.get(path)
            if data is None:
                data = self._contents.get(path)
            if data is None:
                try:
                    data = self._contents[path] = _content(self.entries[path])
                except OSError as error:
                    problems.append(Problem.unread(path, error.strerror or str(error)))
                    continue
            elif self._contents.get(path) != data:
                self._imported.pop(path, None)
            contents[path] = data
        return contents

    def _parse(self, paths: Sequence[str], contents: Mapping[str, bytes]) -> None:
        jobs = [Job(path, *self.finder.module_name(path), contents[path]) for path in paths]
        self.parser.parse(jobs, self.progress)

    def _project(self, paths: Iterable[str], reported: Collection[str]) -> Project:
        from jaxmpi_lint.analysis.project import Project

        parsed = [self.parser.results[path].parsed for path in paths]
        modules = [result.module for result in parsed if result is not None]
        return Project(modules, frozenset(reported), self.finder, self.settings)

    def _importers(
        self, exported: Mapping[str, set[str]], known: Collection[str], contents: Mapping[str, bytes]
    ) -> list[str]:
        """Files not parsed yet that import a communicating name of a parsed module and mention it."""
        if not any(exported.values()):
            return []
        visible = self._with_reexports(exported, contents)
        return [
            path
            for path, data in contents.items()
            if path not in known and any(_uses(data, *edge, visible) for edge in self._edges(path, data))
        ]

    def _with_reexports(self, exported: Mapping[str, set[str]], contents: Mapping[str, bytes]) -> dict[str, set[str]]:
        """The communicating names, also those that a package's ``__init__`` only passes on."""
        visible = {path: set(names) for path, names in exported.items()}
        packages = [path for path in contents if os.path.basename(path) == "__init__.py"]
        growing = True
        while growing:
            growing = False
            for path in packages:
                own = visible.setdefault(path, set())
                passed = {n for edge in self._edges(path, contents[path]) for n in _passed(*edge, visible)} - own
                own |= passed
                growing = growing or bool(passed)
        return visible

    def _edges(self, path: str, data: bytes) -> list[tuple[str, tuple[str, ...]]]:
        """The files that a file imports, with the names it takes from them (none: the module itself)."""
        edges = self._imported.get(path)
        if edges is None:
            edges = self._imported[path] = list(_resolve(self.finder, path, imports.scan(_plain(path, data))))
        return edges


def digest(data: bytes) -> str:
    """The content of a file in a few characters."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _content(entry: Entry) -> bytes:
    if entry.problem:
        raise OSError(None, entry.problem)
    if entry.size > LARGEST:
        raise OSError(None, f"larger than {LARGEST // 1024 // 1024} MB")
    with open(entry.path, "rb") as file:
        return file.read()


def _plain(path: str, data: bytes) -> bytes:
    """Bytes for a search by words: the line breaks inside a notebook's strings are undone."""
    return data.replace(b"\\n", b"\n").replace(b'"', b"\n") if path.endswith(".ipynb") else data


def _resolve(
    finder: imports.ModuleFinder, path: str, found: Iterable[imports.ImportedModule]
) -> Iterable[tuple[str, tuple[str, ...]]]:
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


def _uses(data: bytes, target: str, names: tuple[str, ...], exported: Mapping[str, Collection[str]]) -> bool:
    communicating = exported.get(target)
    if not communicating:
        return False
    if names and "*" not in names:
        return any(name in communicating for name in names)
    return any(name.encode() in data and imports.word(name).search(data) for name in communicating)


def _passed(target: str, names: tuple[str, ...], exported: Mapping[str, Collection[str]]) -> Iterable[str]:
    """The communicating names that an import takes over."""
    communicating = exported.get(target, ())
    return [name for name in communicating if name in names or "*" in names]


def display(path: str, folder: str) -> str:
    """A path as the user will see it: relative to ``folder`` if it lies below, with POSIX separators."""
    inside = path.startswith(folder.rstrip(os.sep) + os.sep)
    return (os.path.relpath(path, folder) if inside else path).replace(os.sep, "/")
