"""From outcomes to a report: shown findings, known findings, required texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.settings.settings import Settings, Wrapper, format_version
from jaxmpi_lint.sources.files import display

if TYPE_CHECKING:
    from jaxmpi_lint.command.baseline import Baseline
    from jaxmpi_lint.engine.engine import Engine


_BARE = re.compile(r"[A-Za-z0-9_-]+")  # a key of TOML that needs no quotes


@dataclass(frozen=True, slots=True)
class Project:
    """One project of a run with its findings; ``fixed`` is the number of fixes made."""

    engine: Engine
    outcome: Outcome
    fixed: int = 0

    def anchored(self, diagnostic: Diagnostic) -> Diagnostic:
        """The finding with its file name relative to the project, so that baselines work in every directory."""
        path = self.outcome.paths.get(diagnostic.filename, diagnostic.filename)
        return replace(diagnostic, filename=display(path, str(self.engine.settings.root)))

    def difference(self, path: str, name: str, content: bytes) -> str:
        """What a new content changes in a file, as a unified diff under the name given."""
        from jaxmpi_lint.rewrite import apply_edits

        old = self.engine.request.overrides.get(path)
        before = Path(path).read_bytes() if old is None else old
        return apply_edits.unified_diff(name, before.decode("utf-8", "replace"), content.decode("utf-8", "replace"))


def wanted(diagnostics: Iterable[Diagnostic], settings: Settings) -> list[Diagnostic]:
    """The findings with sufficient confidence and severity to be shown."""
    return [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.confidence.order <= settings.min_confidence.order
        and diagnostic.severity.order <= settings.min_severity.order
    ]


@dataclass(frozen=True, slots=True)
class Split:
    """New findings and known findings."""

    new: list[Diagnostic]
    known: list[Diagnostic]


def split(
    project: Project, diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], baseline: Baseline | None
) -> Split:
    """Compare findings with the baseline."""
    if baseline is None:
        return Split(list(diagnostics), [])
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in diagnostics:
        is_known = baseline.known(project.anchored(diagnostic), texts.get(diagnostic.filename, ""))
        (known if is_known else new).append(diagnostic)
    return Split(new, known)


def repairable(project: Project, outcome: Outcome) -> list[Diagnostic]:
    """The shown findings: findings in the baseline, or of too low confidence, are not fixed."""
    visible = wanted(outcome.diagnostics, project.engine.settings)
    texts, _ = texts_of(project.engine, outcome, visible)
    return split(project, visible, texts, _load_baseline(project.engine.settings)).new


def report(projects: Sequence[Project], settings: Settings) -> tuple[Report, list[str]]:
    """One report of all projects, and remarks about their baselines."""
    baselines = {path: _load_baseline(project.engine.settings) for path, project in _by_baseline(projects).items()}
    shown: list[Diagnostic] = []
    known: list[Diagnostic] = []
    texts: dict[str, str] = {}
    cells: dict[str, tuple[int, ...]] = {}
    for project in projects:
        own = project.engine.settings
        visible = wanted(project.outcome.diagnostics, own)
        silenced = [item.diagnostic for item in project.outcome.suppressed]
        found, starts = texts_of(project.engine, project.outcome, [*visible, *silenced])
        texts.update(found)
        cells.update(starts)
        compared = split(project, visible, found, baselines[own.baseline])
        shown += compared.new
        known += compared.known
    outcomes = [project.outcome for project in projects]
    whole = Report(
        diagnostics=tuple(shown),
        texts=texts,
        cells=cells,
        rules=outcomes[0].rules if outcomes else (),
        suppressed=tuple(item for outcome in outcomes for item in outcome.suppressed),
        baselined=tuple(known),
        baseline=any(project.engine.settings.baseline is not None for project in projects),
        files=sum(outcome.files for outcome in outcomes),
        communicating=sum(outcome.communicating for outcome in outcomes),
        not_analysed=sum(outcome.not_analysed for outcome in outcomes),
        fixed=sum(project.fixed for project in projects),
        quiet=settings.quiet,
        docs_url=settings.docs_url,
    )
    return whole, list(_remarks(projects, baselines))


def _by_baseline(projects: Iterable[Project]) -> dict[Path | None, Project]:
    """The baselines of a run, with a project that has each of them: several projects may share one."""
    return {project.engine.settings.baseline: project for project in projects}


def _remarks(projects: Iterable[Project], baselines: Mapping[Path | None, Baseline | None]) -> Iterator[str]:
    """What to say about the baselines; only a run over the whole project shows that an entry is gone."""
    partial = {p.engine.settings.baseline for p in projects if p.engine.settings.root not in p.engine.request.given}
    for path, baseline in baselines.items():
        if baseline is not None and path not in partial:
            yield from filter(None, [baseline.remark()])


def _load_baseline(settings: Settings) -> Baseline | None:
    """A fresh copy of the baseline, since each finding in it counts once."""
    if settings.baseline is None:
        return None
    from jaxmpi_lint.command import baseline

    return baseline.load(settings.baseline)


def texts_of(
    engine: Engine, outcome: Outcome, diagnostics: Iterable[Diagnostic]
) -> tuple[dict[str, str], dict[str, tuple[int, ...]]]:
    """The analysed text of every file that the findings or their steps refer to, and where its cells start."""
    texts: dict[str, str] = {}
    cells: dict[str, tuple[int, ...]] = {}
    names = dict.fromkeys(name for d in diagnostics for name in (d.filename, *(step.filename for step in d.related)))
    for name in names:
        path = outcome.paths.get(name)
        source = engine.source(path) if path is not None else None
        if source is None:
            continue
        texts[name] = source.text
        if source.notebook is not None:
            cells[name] = tuple(source.notebook.first_rows)
    return texts, cells


def settings_lines(settings: Settings) -> list[str]:
    """The settings of a project, one line each, in the form of a settings file."""
    return [f"root = {str(settings.root)!r}", *_setting_lines(settings)]


def _setting_lines(settings: Settings) -> list[str]:
    lines: list[str] = []
    for name in type(settings).__slots__:
        if name in ("root", "origins", "launches"):
            continue
        value = getattr(settings, name)
        if name == "targets":
            value = {package: format_version(version) for package, version in value.items()}
        elif name == "per_file_ignores":
            value = dict(value)
        elif name == "wrappers":
            value = tuple(_table_of(wrapper) for wrapper in value)
        written = "target" if name == "targets" else name.replace("_", "-")
        lines.append(f"{written} = {_shown(value)}")
    return sorted(lines)


def _table_of(wrapper: Wrapper) -> dict[str, object]:
    parts = ("name", "operation", "communicator", "root", "value")
    return {part: getattr(wrapper, part) for part in parts if getattr(wrapper, part) is not None}


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(_shown(item) for item in value)}]"
    if isinstance(value, dict):
        inside = ", ".join(
            f"{key if _BARE.fullmatch(key) else repr(key)} = {_shown(item)}" for key, item in value.items()
        )
        return f"{{ {inside} }}" if inside else "{}"
    if value is None:
        return "unset"
    return repr(value) if isinstance(value, int) else repr(str(value))
