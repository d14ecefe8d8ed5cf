"""Parsing of one file or many: from the store, in this process, or in a pool if there are many."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.findings.errors import Unparsable

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.frontend.parse import Parsed, SyntaxProblem
    from jaxmpi_lint.engine.ir_cache import ParsedStore
    from jaxmpi_lint.findings.model import Finding
    from jaxmpi_lint.rules.base import TreeRule
    from jaxmpi_lint.sources.decode import Source

POOL_LINES = 20_000  # fewer lines are parsed faster than a second process starts
CHUNK_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a file has no module; ``code`` is JM001 for text that is not Python, JM002 for excluded files."""

    path: str
    code: str
    message: str
    row: int = 1
    column: int = 1

    @classmethod
    def unread(cls, path: str, reason: str) -> Problem:
        """A file that could not be opened."""
        return cls(path, "JM002", f"not analysed: {_lower_first(reason)}")


@dataclass(frozen=True, slots=True)
class Job:
    """A file to parse."""

    path: str
    name: str
    is_package: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class Result:
    """A parsed file, or the reason why it was not parsed; ``source`` is set unless the bytes are not text."""

    path: str
    source: Source | None = None
    parsed: Parsed | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """A result as transferred by the pool: with ``module`` in the form of the store."""

    result: Result
    module: bytes | None = None
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, result: Result) -> Packed:
        """A result with its module serialised."""
        from jaxmpi_lint.engine import ir_cache

        if result.parsed is None:
            return cls(result)
        return cls(result, ir_cache.dump(result.parsed.module), tuple(result.parsed.findings))

    def without_module(self) -> Packed:
        """The same with the module in its serialised form only."""
        return self if self.module is None else replace(self, result=replace(self.result, parsed=None))

    def unpack(self) -> Result:
        """The original result."""
        from jaxmpi_lint.analysis.frontend.parse import Parsed
        from jaxmpi_lint.engine import ir_cache

        if self.module is None or self.result.parsed is not None:
            return self.result
        assert self.result.source is not None
        module = ir_cache.restore(self.module, self.result.source.text)
        return replace(self.result, parsed=Parsed(module, list(self.findings)))


@dataclass(slots=True)
class Parser:
    """Parses files with the syntactic rules of the given codes, and keeps the results by path.

    ``store`` keeps modules between runs.
    """

    tree_codes: tuple[str, ...] = ()
    jobs: int = 1
    tree_rules: Sequence[TreeRule] = ()
    store: ParsedStore | None = None
    results: dict[str, Result] = field(default_factory=dict)
    _data: dict[str, bytes] = field(default_factory=dict)

    def parse(self, jobs: Iterable[Job], progress: Callable[[int, int], None] | None = None) -> None:
        """Parse new and changed files."""
        todo = [job for job in jobs if self._data.get(job.path) != job.data and not self._recall(job)]
        for done, (job, packed) in enumerate(zip(todo, self._run(todo), strict=True), 1):
            self.results[job.path] = packed.unpack()
            self._data[job.path] = job.data
            if self.store is not None and packed.module is not None:
                self.store.save(job.path, job.name, job.is_package, job.data, packed.module)
            if progress is not None:
                progress(done, len(todo))

    def _recall(self, job: Job) -> bool:
        """Whether the store has the module of a file, which then becomes its result."""
        from jaxmpi_lint.analysis.frontend.parse import Parsed
        from jaxmpi_lint.sources import decode

        if self.store is None:
            return False
        try:
            loaded = decode.load(job.path, job.data)
        except Unparsable:
            return False
        module = self.store.load(job.path, job.name, job.is_package, job.data, loaded.text)
        if module is None:
            return False
        self.results[job.path] = Result(job.path, loaded, Parsed(module, []))
        self._data[job.path] = job.data
        return True

    def _run(self, todo: Sequence[Job]) -> Iterator[Packed]:
        lines = sum(job.data.count(b"\n") for job in todo)
        if self.jobs > 1 and lines > POOL_LINES:
            return _in_pool(todo, self.tree_codes, self.jobs)
        results = (parse_one(job, self.tree_rules) for job in todo)
        if self.store is None:
            return (Packed(result) for result in results)
        return (Packed.of(result) for result in results)


def parse_one(job: Job, tree_rules: Sequence[TreeRule]) -> Result:
    """Parse one file with any content."""
    from jaxmpi_lint.analysis.frontend import parse
    from jaxmpi_lint.sources import decode, parser_limits

    try:
        loaded = decode.load(job.path, job.data)
    except Unparsable as error:
        problem = Problem(job.path, "JM001", _unparsable(error.message), error.row, error.column)
        return Result(job.path, problem=problem)
    refusal = parser_limits.refusal(loaded.text)
    if refusal is not None:
        return Result(job.path, loaded, problem=Problem(job.path, "JM002", f"not analysed: {refusal}"))
    try:
        parsed = parse.parse(job.path, job.name, job.is_package, loaded.text, tree_rules)
    except parse.SyntaxProblem as error:
        return Result(job.path, loaded, problem=_syntax_problem(job.path, loaded.text, error))
    except parse.NotAnalysed as error:
        return Result(job.path, loaded, problem=Problem(job.path, "JM002", f"not analysed: {error}"))
    return Result(job.path, loaded, parsed)


def _syntax_problem(path: str, text: str, error: SyntaxProblem) -> Problem:
    """The syntax error; for a program for Python 2, its first construct that only Python 2 accepts."""
    from jaxmpi_lint.sources import decode

    hint = decode.python2_hint(text)
    row = re.search(r"on line (\d+)", hint) if hint else None
    if hint is None or row is None:
        return Problem(path, "JM001", _unparsable(error.message), error.row, error.column)
    return Problem(path, "JM001", _unparsable(hint), int(row[1]))


def _unparsable(message: str) -> str:
    return f"cannot be parsed: {_lower_first(message)}"


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:]


# --- pool ----------------------------------------------------------------------------------------------------------

_worker_rules: list[TreeRule] = []


def _in_pool(todo: Sequence[Job], tree_codes: tuple[str, ...], jobs: int) -> Iterator[Packed]:
    """Results in the order of the jobs; only jobs are sent to the workers and only modules come back."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(jobs, context, _start_worker, (tree_codes,)) as pool:
        for results in pool.map(_parse_chunk, _chunks(todo)):
            yield from results


def _chunks(todo: Sequence[Job]) -> list[list[Job]]:
    chunks: list[list[Job]] = [[]]
    size = 0
    for job in todo:
        chunks[-1].append(job)
        size += job.data.count(b"\n") + 1
        if size > CHUNK_LINES:
            chunks.append([])
            size = 0
    return [chunk for chunk in chunks if chunk]


def _start_worker(tree_codes: tuple[str, ...]) -> None:
    from jaxmpi_lint.rules import registry
    from jaxmpi_lint.rules.base import TreeRule

    classes = [rule for rule in registry.load() if rule.code in tree_codes and issubclass(rule, TreeRule)]
    _worker_rules[:] = [rule() for rule in classes]


def _parse_chunk(jobs: list[Job]) -> list[Packed]:
    return [Packed.of(parse_one(job, _worker_rules)).without_module() for job in jobs]
