"""From files to modules: bytes, prefilter, parsing, and the closure over importers of communicating names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.engine.parser_pool import Job, Parser, Problem
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Entry
from jaxmpi_lint.sources.files import LARGEST, digest
from jaxmpi_lint.sources.import_closure import Closure, plain
from jaxmpi_lint.sources.import_scan import ModuleFinder
from jaxmpi_lint.sources.prefilter import Prefilter

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.ir import Module
    from jaxmpi_lint.analysis.model.project import Project
    from jaxmpi_lint.findings.model import Finding
    from jaxmpi_lint.sources.decode import Source

ROUNDS = 8  # of the import closure; a chain of re-exports is rarely longer than three
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Reading:
    """All files read of a project. ``digests`` covers all files, ``sources`` those that were parsed."""

    project: Project
    digests: dict[str, str]
    sources: dict[str, Source]
    modules: dict[str, Module]
    findings: list[Finding]
    problems: list[Problem]


@dataclass(slots=True)
class Reader:
    """Reads the files of a project; keeps parsed files, so that a second reading parses only changed ones."""

    settings: Settings
    entries: Mapping[str, Entry]
    finder: ModuleFinder
    parser: Parser
    progress: Progress | None = None
    prefilter: Prefilter | None = None
    _contents: dict[str, bytes] = field(default_factory=dict)
    _closure: Closure = field(init=False)

    def __post_init__(self) -> None:
        self._closure = Closure(self.finder)

    def read(self, reported: Collection[str], overrides: Mapping[str, bytes], named: Collection[str] = ()) -> Reading:
        """Read the project, with the content of some files replaced.

        Files given by name are always parsed, so that text that is not Python is never skipped.
        """
        problems: list[Problem] = []
        contents = self._load(overrides, problems)
        digests = {path: digest(data) for path, data in contents.items()}
        chosen = self._communicating(contents, digests)
        chosen += self._closure.imported_first(contents, set(chosen))
        from jaxmpi_lint.analysis.frontend.parse import allow_deep_trees
        from jaxmpi_lint.analysis.model.communicating_exports import Exports
        from jaxmpi_lint.analysis.model.project import Project

        allow_deep_trees()
        self._parse(chosen, contents)
        exports = Exports(self.settings, self.finder)
        added = chosen
        self._closure.begin()
        for _ in range(ROUNDS):
            exports.add(self._modules(added))
            added = self._closure.importers(exports.names, set(chosen), contents)
            if not added:
                break
            self._parse(added, contents)
            chosen = chosen + added
        for further in (self._closure.imported_writers, self._closure.imported_sources):
            added = further(contents, set(chosen))
            self._parse(added, contents)
            chosen = chosen + added
        project = Project(self._modules(chosen), frozenset(reported), self.finder, self.settings)
        checked = [path for path in named if path in contents and path not in set(chosen)]
        self._parse(checked, contents)
        problems += [problem for path in checked if (problem := self.parser.results[path].problem)]
        results = [self.parser.results[path] for path in chosen]
        problems += [result.problem for result in results if result.problem]
        sources = {result.path: result.source for result in results if result.source}
        project.parse_more = lambda path: self._parse_one(path, contents, sources)
        return Reading(
            project,
            digests,
            sources,
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
            contents[path] = data
        return contents

    def _communicating(self, contents: Mapping[str, bytes], digests: Mapping[str, str]) -> list[str]:
        """The files that may communicate by themselves."""
        if self.prefilter is None and self.parser.store is not None:
            from jaxmpi_lint.engine.prefilter_cache import KeptVerdicts

            kept = KeptVerdicts(Prefilter(self.settings), self.parser.store, str(self.settings.root))
            return kept.choose(contents, digests)
        prefilter = self.prefilter or Prefilter(self.settings)
        return [path for path, data in contents.items() if prefilter.file_may_communicate(plain(path, data))]

    def _parse(self, paths: Sequence[str], contents: Mapping[str, bytes]) -> None:
        jobs = [Job(path, *self.finder.module_name(path), contents[path]) for path in paths]
        self.parser.parse(jobs, self.progress)

    def _parse_one(self, path: str, contents: Mapping[str, bytes], sources: dict[str, Source]) -> Module | None:
        """One more file, for the interpreter; None if it cannot be read as Python. Its text joins the ``sources``."""
        if path not in contents:
            return None
        self._parse([path], contents)
        result = self.parser.results[path]
        if result.source is not None:
            sources[path] = result.source
        return result.parsed.module if result.parsed is not None else None

    def _modules(self, paths: Iterable[str]) -> list[Module]:
        parsed = [self.parser.results[path].parsed for path in paths]
        return [result.module for result in parsed if result is not None]


def _content(entry: Entry) -> bytes:
    if entry.problem:
        raise OSError(None, entry.problem)
    if entry.size > LARGEST:
        raise OSError(None, f"larger than {LARGEST // 1024 // 1024} MB")
    with open(entry.path, "rb") as file:
        return file.read()
