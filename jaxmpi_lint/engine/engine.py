"""Linting of one project: its files, from the cache or by a new analysis, to one outcome."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint.engine import result_cache
from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.engine.parser_pool import Parser, Problem
from jaxmpi_lint.engine.reader import Progress, Reader
from jaxmpi_lint.findings.errors import Unparsable
from jaxmpi_lint.settings.settings import Settings, format_version
from jaxmpi_lint.sources import discovery, surroundings
from jaxmpi_lint.sources.files import display

if TYPE_CHECKING:
    from jaxmpi_lint.engine.ir_cache import ParsedStore
    from jaxmpi_lint.engine.reader import Reading
    from jaxmpi_lint.rules.base import Rule
    from jaxmpi_lint.sources.decode import Source
    from jaxmpi_lint.sources.prefilter import Prefilter


@dataclass(frozen=True, slots=True)
class Request:
    """The files and folders to lint, with the content of some replaced (standard input).

    Displayed names are relative to ``folder``; ``names`` holds names that are displayed differently.
    """

    settings: Settings
    given: tuple[Path, ...]
    folder: str
    overrides: Mapping[str, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


class Engine:
    """One project. ``entries`` are all files read, ``reported`` those whose findings are reported."""

    def __init__(
        self,
        request: Request,
        progress: Progress | None = None,
        tree: discovery.Tree | None = None,
        rules: Sequence[type[Rule]] | None = None,
        prefilter: Prefilter | None = None,
    ) -> None:
        """``tree``, ``rules`` and ``prefilter`` replace the files on disk and the selection of the settings."""
        self.request = request
        self.settings = request.settings
        self.progress = progress
        self._given_rules = rules
        self._given_prefilter = prefilter
        self._is_cut = False
        if tree is None:
            tree, self._is_cut = surroundings.surroundings(
                self.settings.root, request.given, self.settings.exclude, request.overrides
            )
        self.entries = tree.files
        self.unlisted = tree.unlisted
        self._nested = tree.nested
        self.reported = frozenset(self._reported())
        if not self.reported and not any(map(self._is_given, self.unlisted)):
            self.entries = {}  # nothing to report on: the project need not be read
        self._sources: dict[str, Source] = {}

    def nested(self) -> list[Path]:
        """Subfolders that are separate projects: they have a ``pyproject.toml``."""
        folders = [str(given).rstrip(os.sep) + os.sep for given in self.request.given if given.is_dir()]
        return [Path(path) for path in self._nested if path.startswith(tuple(folders))]

    def lint(self) -> Outcome:
        """The findings, from the cache if nothing has changed."""
        if self.request.overrides or self.settings.no_cache:
            return self.analyse({})
        stored = result_cache.Cache(
            self.settings.cache_folder, result_cache.key(self.settings, self.reported, self.request.folder)
        )
        outcome = stored.load(self.entries)
        if outcome is not None:
            return replace(outcome, notes=(*outcome.notes, f"findings taken from the cache {stored.path}"))
        outcome, digests = self._analyse({})
        if self._reader.parser.store is not None:
            self._reader.parser.store.prune()
        if outcome.failures:
            return outcome
        if not stored.store(self.entries, digests, outcome):
            note = f"cache {self.settings.cache_folder} cannot be written; use --cache-dir or --no-cache"
            outcome = replace(outcome, notes=(*outcome.notes, note))
        return outcome

    def analyse(self, overrides: Mapping[str, bytes]) -> Outcome:
        """The findings with the content of some files replaced, without the cache."""
        return self._analyse(overrides)[0]

    def read(self, overrides: Mapping[str, bytes]) -> Reading:
        """The project, with the content of some files replaced."""
        reading = self._reader.read(
            self.reported,
            {**self.request.overrides, **overrides},
            [str(given) for given in self.request.given if not given.is_dir()],
        )
        self._sources = reading.sources
        return reading

    def source(self, path: str) -> Source | None:
        """The text of a file as analysed, or as on disk; None if it is not text."""
        from jaxmpi_lint.sources import decode

        if path not in self._sources:
            try:
                data = self.request.overrides.get(path)
                self._sources[path] = decode.load(path, Path(path).read_bytes() if data is None else data)
            except (OSError, Unparsable):
                return None
        return self._sources[path]

    def module_name(self, path: str) -> tuple[str, bool]:
        """The dotted name of a file and whether it is a package."""
        return self._reader.finder.module_name(path)

    def _reported(self) -> Iterator[str]:
        for given in self.request.given:
            path = str(given)
            if path in self.request.overrides:
                yield path
            elif given.is_dir():
                yield from self._below(given)
            elif not discovery.excluded(self.settings.root, path, self.settings.exclude):
                self.entries.setdefault(path, discovery.entry_of(path))
                yield path

    def _below(self, folder: Path) -> list[str]:
        prefix = str(folder).rstrip(os.sep) + os.sep
        inside = [path for path in self.entries if path.startswith(prefix)]
        if not inside and not discovery.excluded(self.settings.root, str(folder), self.settings.exclude):
            own = discovery.discover(folder, self.settings.exclude)
            self.entries.update(own.files)
            self.unlisted.update(own.unlisted)
            inside = list(own.files)
        return inside

    @cached_property
    def _rules(self) -> list[type[Rule]]:
        from jaxmpi_lint.rules import registry
        from jaxmpi_lint.settings import rule_selection

        if self._given_rules is not None:
            return list(self._given_rules)
        known = registry.load()
        enabled = rule_selection.enabled(self.settings, {rule.code: rule.preview for rule in known})
        return [rule for rule in known if rule.code in enabled]

    @cached_property
    def _reader(self) -> Reader:
        from jaxmpi_lint.engine.check import tree_rules
        from jaxmpi_lint.sources.import_scan import ModuleFinder

        files = [*self.entries, *self.request.overrides]
        rules = tree_rules(self._rules)
        codes, jobs = tuple(rule.code for rule in rules), self.settings.jobs or os.cpu_count() or 1
        parser = Parser(codes, jobs, rules, self._store())
        finder = ModuleFinder(str(self.settings.root), self.settings.src, files)
        return Reader(self.settings, self.entries, finder, parser, self.progress, self._given_prefilter)

    def _store(self) -> ParsedStore | None:
        """The store; None also where rules read syntax trees, for which every file must be parsed."""
        from jaxmpi_lint.engine.check import tree_rules
        from jaxmpi_lint.engine.ir_cache import ParsedStore

        if self.settings.no_cache or tree_rules(self._rules):
            return None
        return ParsedStore(self.settings.cache_folder, result_cache.environment())

    def _analyse(self, overrides: Mapping[str, bytes]) -> tuple[Outcome, dict[str, str]]:
        with _collection_paused():
            return self._read_and_check(overrides)

    def _read_and_check(self, overrides: Mapping[str, bytes]) -> tuple[Outcome, dict[str, str]]:
        from jaxmpi_lint.engine.check import check
        from jaxmpi_lint.engine.locations import Locator
        from jaxmpi_lint.engine.rule_runner import describe
        from jaxmpi_lint.findings.model import RuleInfo
        from jaxmpi_lint.rules import registry

        rules = self._rules
        reading = self.read(overrides)
        folders = [path for path in self.unlisted if self._is_given(path)]
        reading.problems += [Problem.unread(path, f"cannot be listed: {self.unlisted[path]}") for path in folders]
        locator = Locator(reading.sources, self.request.folder, self.request.names)
        checked = check(reading, rules, self.settings, self.reported | set(folders), locator)
        left_out = {*(problem.path for problem in reading.problems), *(failure.path for failure in checked.failures)}
        outcome = Outcome(
            checked.diagnostics,
            checked.suppressed,
            {locator.filename(path): path for path in (*reading.sources, *self.reported)},
            tuple(RuleInfo.of(rule) for rule in registry.load()),
            len(self.reported),
            len(self.reported & reading.modules.keys()),
            len(left_out & (self.reported | set(folders))),
            (*self._warnings(), *self._wrong_wrappers(reading)),
            (*self._notes(reading), *checked.notes, *dict.fromkeys(failure.trace for failure in checked.failures)),
            tuple(describe(checked.failures, locator.filename)),
        )
        return outcome, reading.digests

    def _is_given(self, path: str) -> bool:
        return any(path == str(given) or path.startswith(f"{given}{os.sep}") for given in self.request.given)

    def _warnings(self) -> Iterable[str]:
        from jaxmpi_lint.rules import registry
        from jaxmpi_lint.settings import rule_selection

        previews = {rule.code: rule.preview for rule in registry.load()}
        for code in rule_selection.not_enabled_previews(self.settings, previews):
            yield f"{code} is in preview and does not run; add --preview"
        if self._is_cut:
            yield surroundings.unread(display(str(self.settings.root), self.request.folder))

    def _wrong_wrappers(self, reading: Reading) -> Iterable[str]:
        """What the settings say about functions of the project and is not so; a decorator may change parameters."""
        from jaxmpi_lint.library.wrapper_checks import wrong_parameters

        for wrapper in self.settings.wrappers:
            for module in reading.modules.values():
                function = module.functions.get(wrapper.name.removeprefix(f"{module.name}."))
                if not wrapper.name.startswith(f"{module.name}.") or function is None or function.decorators:
                    continue
                parameters = function.parameters[function.kind == "method" :]
                if not any(parameter.kind in ("star", "double-star") for parameter in parameters):
                    positional = tuple(p.name for p in parameters if p.kind != "keyword")
                    yield from wrong_parameters(wrapper, positional, tuple(p.name for p in parameters))

    def _notes(self, reading: Reading) -> Iterable[str]:
        settings = self.settings
        targets = ", ".join(f"{name} {format_version(version)}" for name, version in sorted(settings.targets.items()))
        yield f"project {display(str(settings.root), self.request.folder)}: {len(self.entries)} files read"
        lines = sum(len(module.line_starts) for module in reading.modules.values())
        yield f"{len(reading.modules)} files of the project, {lines} lines, communicate or use communicating names"
        yield f"library versions: {targets or 'unknown'}"
        for path in sorted(self.unlisted):
            yield f"{display(path, self.request.folder)}: cannot be listed: {self.unlisted[path]}"


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Garbage collection is paused: the objects of an analysis live to its end."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
