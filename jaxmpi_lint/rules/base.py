"""Base classes of rules.

A rule is a class in a separate module. Its docstring is its documentation page, its examples are its first tests, and
it is discovered as a module of this package (or through the entry-point group ``jaxmpi_lint.rules``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.checks.base import Defect, Detector, InProject
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity
from jaxmpi_lint.findings.model import Example, Finding, Repair, SourceFile, Span, Step

if TYPE_CHECKING:
    import libcst

    from jaxmpi_lint.analysis.frontend.syntax_walk import Tree
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.interfaces import Module as ModuleView

__all__ = [
    "CheckRule",
    "Example",
    "Finding",
    "OperationRule",
    "Repair",
    "Rule",
    "Step",
    "TreeRule",
    "Variant",
]

InTests = Severity | Literal["silent"]
"""Treatment of a finding in a test file: its maximum severity, or no finding."""


class Rule:
    """Base of all rules; override one of the ``check`` methods.

    ``sanitizer`` has the codes with which the sanitizer reports the same defect at run time, the most likely first.
    ``in_tests`` is the maximum severity of a finding in a test file, where processes may diverge on purpose.

    If several rules report one defect, only the most specific finding is shown (see `precedence`). ``specificity``
    orders the rules about divergence: the highest replaces the others, except those that it is ``independent_of``.
    ``replaces`` has further codes, or prefixes of codes, whose findings at the same place are not shown.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    preview: ClassVar[bool] = False
    fix: ClassVar[Applicability | None] = None
    sanitizer: ClassVar[tuple[str, ...]] = ()
    in_tests: ClassVar[InTests | None] = None
    specificity: ClassVar[int] = 0
    replaces: ClassVar[tuple[str, ...]] = ()
    independent_of: ClassVar[tuple[str, ...]] = ()
    VALID: ClassVar[tuple[str | Example, ...]] = ()
    INVALID: ClassVar[tuple[str | Example, ...]] = ()

    @classmethod
    def is_by_file(cls) -> bool:
        """Whether files can be checked one by one, so that a failure in one file does not lose findings in others."""
        return cls.check is Rule.check

    def check(self, project: Program) -> Iterator[Finding]:
        """Findings in a whole project; by default those in each reported module."""
        for module in project.reported_modules():
            yield from self.check_module(module)

    def check_module(self, module: ModuleView) -> Iterator[Finding]:
        """Findings in one module; by default those in each of its functions (the module body is one)."""
        for function in module.functions():
            yield from self.check_function(function)

    def check_function(self, function: Function) -> Iterator[Finding]:
        """Findings in one function."""
        return iter(())

    def finding(
        self,
        module: SourceFile,
        span: Span,
        message: str,
        *,
        steps: tuple[Step, ...] = (),
        remedy: str = "",
        repair: Repair | None = None,
        confidence: Confidence = Confidence.HIGH,
        severity: Severity | None = None,
        table: tuple[tuple[str, ...], ...] = (),
    ) -> Finding:
        """A finding of this rule; the default severity is that of the rule for the file."""
        usual = severity or severity_in(self.severity, self.in_tests, module) or self.severity
        return Finding(self, module, span, message, steps, remedy, repair, confidence, usual, table)

    @classmethod
    def at_run_time(cls) -> str:
        """The first sanitizer code, formatted as the end of a remedy."""
        return f" (at run time: {cls.sanitizer[0]})" if cls.sanitizer else ""

    @classmethod
    def page(cls) -> str:
        """The documentation page: the docstring without its indentation."""
        return inspect.getdoc(cls) or ""

    @classmethod
    def summary(cls) -> str:
        """The first line of the documentation, without the full stop."""
        return cls.page().partition("\n")[0].rstrip(".")


def severity_in(usual: Severity, in_tests: InTests | None, module: SourceFile) -> Severity | None:
    """The severity of a finding in a file; None: not reported."""
    if in_tests is None or not is_test_file(module.path):
        return usual
    return None if in_tests == "silent" else max(usual, in_tests, key=lambda severity: severity.order)


@dataclass(frozen=True, slots=True)
class Variant:
    """Message, remedy and severity for one kind of defect; None stands for the value of the rule."""

    message: str | None = None
    remedy: str | None = None
    severity: Severity | None = None
    in_tests: InTests | None = None


_PLAIN = Variant()


class CheckRule(Rule):
    """One finding for each defect that ``detect`` yields.

    ``message`` and ``remedy`` are format strings in which ``{d}`` is the defect, and ``{at_run_time}`` is the first
    code of ``sanitizer``. A rule with several kinds of defects has ``variants``, one for each ``kind`` of a defect that
    differs from the rule. ``repair`` returns the fix.
    """

    detect: ClassVar[Detector]
    message: ClassVar[str]
    remedy: ClassVar[str] = ""
    repair: ClassVar[Callable[[Any], Repair | None] | None] = None
    variants: ClassVar[Mapping[str, Variant]] = {}

    @classmethod
    def is_by_file(cls) -> bool:
        """Whether the defects in a file can be found independently of other files."""
        return cls.check is CheckRule.check and not isinstance(cls.detect, InProject)

    def check(self, project: Program) -> Iterator[Finding]:
        """The findings in a project."""
        return super().check(project) if self.is_by_file() else self.report(self.detect(project))

    def check_module(self, module: ModuleView) -> Iterator[Finding]:
        """The findings in one file, if ``detect`` checks files or functions."""
        return iter(()) if isinstance(self.detect, InProject) else self.report(self.detect.in_module(module))

    def report(self, defects: Iterable[Defect]) -> Iterator[Finding]:
        """The findings for defects, except those that are not reported in test files."""
        for defect in defects:
            severity = self.severity_of(defect)
            if severity is not None:
                yield self._finding(defect, severity)

    def severity_of(self, defect: Defect) -> Severity | None:
        """The severity of a defect in its file; None: not reported."""
        variant = self._variant(defect)
        usual = variant.severity or self.severity
        return severity_in(usual, variant.in_tests or self.in_tests, defect.place.module)

    def _variant(self, defect: Defect) -> Variant:
        return self.variants.get(getattr(defect, "kind", ""), _PLAIN)

    def _finding(self, defect: Defect, severity: Severity) -> Finding:
        variant = self._variant(defect)
        message = self.message if variant.message is None else variant.message
        remedy = self.remedy if variant.remedy is None else variant.remedy
        repair = type(self).repair
        return self.finding(
            defect.place.module,
            defect.place.span,
            message.format(d=defect),
            steps=tuple(defect.steps()),
            remedy=remedy.format(d=defect, at_run_time=self.at_run_time()),
            repair=repair(defect) if repair is not None else None,
            confidence=defect.confidence,
            severity=severity,
        )


class OperationRule(Rule):
    """A rule about calls of communication libraries; functions without such calls are skipped."""

    def check_module(self, module: ModuleView) -> Iterator[Finding]:
        """Findings in the functions with such calls."""
        for function in module.with_operations:
            yield from self.check_function(function)


class TreeRule(Rule):
    """A purely syntactic rule: one shared walk passes it every LibCST node of the classes in ``listens``."""

    listens: ClassVar[tuple[type[libcst.CSTNode], ...]] = ()

    def visit(self, node: libcst.CSTNode, tree: Tree) -> Iterator[Finding]:
        """Findings at one node; ``tree`` has its span, the text of the module and the meaning of names."""
        raise NotImplementedError
