"""Execution of the rules: a failing rule loses only its own findings."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.engine.world_runs import failures_of_worlds, merged, notes_of_worlds, of_worlds, unrefuted
from jaxmpi_lint.findings.model import Finding
from jaxmpi_lint.rules.base import Rule

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.model.project import Project

_CHECKS = ("check", "check_module", "check_function")


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception inside a rule; ``path`` is the file being checked, None for the whole project."""

    code: str
    path: str | None
    error: str
    trace: str


@dataclass(slots=True)
class RuleRuns:
    """The findings of rules on a project, and the failures."""

    project: Project
    findings: list[Finding] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def run(self, rules: Sequence[type[Rule]]) -> None:
        """Run each rule on the model; file by file, if the rule is defined so."""
        for rule in rules:
            if any(getattr(rule, name) is not getattr(Rule, name) for name in _CHECKS):
                self._run(rule())

    def run_worlds(self, rules: Sequence[type[Rule]]) -> None:
        """Run the small worlds of the project; their findings come after those of the rules."""
        try:
            self.findings = unrefuted(self.project, self.findings)
            self.findings = merged(self.findings, list(of_worlds(self.project, rules, self.findings)))
            self.notes += notes_of_worlds(self.project, rules)
            for path, error, trace in failures_of_worlds(self.project, rules):
                self.failures.append(Failure("interpreter", path, error, trace))
        except Exception as error:
            text = f"{type(error).__name__}: {error}".partition("\n")[0]
            self.failures.append(Failure("interpreter", None, text, traceback.format_exc()))

    def _run(self, rule: Rule) -> None:
        if not rule.is_by_file():
            self._keep(rule, None, lambda: rule.check(self.project))
            return
        for module in self.project.reported_modules():
            self._keep(rule, module.ir.path, lambda module=module: rule.check_module(module))  # type: ignore[misc]

    def _keep(self, rule: Rule, path: str | None, check: Callable[[], Iterable[Finding]]) -> None:
        try:
            self.findings += check()
        except Exception as error:
            text = f"{type(error).__name__}: {error}".partition("\n")[0]
            self.failures.append(Failure(rule.code, path, text, traceback.format_exc()))


def describe(failures: Iterable[Failure], shown: Callable[[str], str]) -> list[str]:
    """One line for each place and exception; ``shown`` maps a path to its displayed name."""
    codes: dict[tuple[str | None, str], list[str]] = {}
    for failure in failures:
        codes.setdefault((failure.path, failure.error), []).append(failure.code)
    return [
        f"internal error ({error}) in {_rules(found)}{'' if path is None else f' on {shown(path)}'};"
        f" {'its' if len(found) == 1 else 'their'} findings {'are' if path is None else 'there are'} missing;"
        " run again with --verbose for details"
        for (path, error), found in codes.items()
    ]


def _rules(codes: Sequence[str]) -> str:
    if len(codes) == 1:
        return f"rule {codes[0]}"
    return f"rules {', '.join(codes[:-1])} and {codes[-1]}"
