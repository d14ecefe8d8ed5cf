"""From outcomes to a report: shown findings, known findings, required texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.engine.outcome import Outcome
from jaxmpi_lint.findings.diagnostics import Diagnostic
from jaxmpi_lint.reporters.report import Report
from jaxmpi_lint.settings.settings import Settings, format_version
from jaxmpi_lint.sources.files import display

if TYPE_CHECKING:
    from jaxmpi_lint.command.baseline import Baseline
    from jaxmpi_lint.engine.engine import Engine


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
    """New findings, known findings, and remarks on the baseline itself."""

    new: list[Diagnostic]
    known: list[Diagnostic]
    remark: str | None = None


def split(project: Project, diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> Split:
    """Compare findings with the baseline; only a run over the whole project determines which entries are gone."""
    baseline = _load_baseline(project.engine.settings)
    if baseline is None:
        return Split(list(diagnostics), [])
    new: list[Diagnostic] = []
    known: list[Diagnostic] = []
    for diagnostic in diagnostics:
        is_known = baseline.known(project.anchored(diagnostic), texts.get(diagnostic.filename, ""))
        (known if is_known else new).append(diagnostic)
    whole = project.engine.settings.root in project.engine.request.given
    return Split(new, known, baseline.remark() if whole else None)


def repairable(project: Project, outcome: Outcome) -> list[Diagnostic]:
    """The shown findings: findings in the baseline, or of too low confidence, are not fixed."""
    visible = wanted(outcome.diagnostics, project.engine.settings)
    texts, _ = texts_of(project.engine, outcome, visible)
    return split(project, visible, texts).new


def report(projects: Sequence[Project], settings: Settings) -> tuple[Report, list[str]]:
    """One report of all projects, and remarks about their baselines."""
    remarks: list[str] = []
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
        compared = split(project, visible, found)
        shown += compared.new
        known += compared.known
        remarks += filter(None, [compared.remark])
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
    )
    return whole, remarks


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
    """The settings of a project, one line each."""
    lines = [f"root = {str(settings.root)!r}"]
    for name in sorted(type(settings).__slots__):
        if name in ("root", "origins", "launches"):
            continue
        value = getattr(settings, name)
        if name == "targets":
            value = {package: format_version(version) for package, version in value.items()}
        lines.append(f"{name.replace('_', '-')} = {_shown(value)}")
    return lines


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(_shown(item) for item in value)}]"
    if value is None:
        return "unset"
    return repr(str(value)) if not isinstance(value, (int, dict)) else repr(value)
