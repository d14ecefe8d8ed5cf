"""What a rule is.

A rule is a class in a module of its own. Its docstring *is* its documentation page, its examples are its first tests,
and it is found by being there (or through the entry-point group ``jaxmpi_lint.rules``).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from jaxmpi_lint.analysis.ir import Module, Span
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Severity

if TYPE_CHECKING:
    import libcst

    from jaxmpi_lint.analysis.frontend.syntax_walk import Tree
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.interfaces import Module as ModuleView


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the story: where a reason was read, a branch, the call that the other processes reach.

    ``aside`` tells that the place is no part of the defect: it may have one of its own.
    """

    module: Module
    span: Span
    message: str
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix inside the finding's own file; each edit replaces a span of its text."""

    applicability: Applicability
    message: str
    edits: tuple[tuple[Span, str], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule has to say about one place."""

    rule: Rule
    module: Module
    span: Span
    message: str
    steps: tuple[Step, ...] = ()
    remedy: str = ""
    repair: Repair | None = None
    confidence: Confidence = Confidence.HIGH
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Example:
    """A program for the tests of a rule.

    Lines where a finding starts carry ``#! CODE`` (several codes separated by spaces). ``fixed`` is the text after
    ``--fix --unsafe-fixes``. ``target`` gives library versions, as ``--target`` does. Several files are one text with
    lines ``# file: NAME`` before each.
    """

    source: str
    fixed: str | None = None
    target: dict[str, str] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)


class Rule:
    """Base of all rules; override one of the ``check`` methods."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    preview: ClassVar[bool] = False
    fix: ClassVar[Applicability | None] = None
    VALID: ClassVar[tuple[str | Example, ...]] = ()
    INVALID: ClassVar[tuple[str | Example, ...]] = ()

    def check(self, project: Program) -> Iterator[Finding]:
        """Findings of a whole project; by default those of each module that is reported."""
        for module in project.reported_modules():
            yield from self.check_module(module)

    def check_module(self, module: ModuleView) -> Iterator[Finding]:
        """Findings of one module; by default those of each of its functions (the module body is one)."""
        for function in module.functions():
            yield from self.check_function(function)

    def check_function(self, function: Function) -> Iterator[Finding]:
        """Findings of one function."""
        return iter(())

    def finding(
        self,
        module: Module,
        span: Span,
        message: str,
        *,
        steps: tuple[Step, ...] = (),
        remedy: str = "",
        repair: Repair | None = None,
        confidence: Confidence = Confidence.HIGH,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this rule; its severity unless another is given."""
        return Finding(self, module, span, message, steps, remedy, repair, confidence, severity or self.severity)

    @classmethod
    def page(cls) -> str:
        """The documentation: the docstring as written, without its indentation."""
        return inspect.getdoc(cls) or ""

    @classmethod
    def summary(cls) -> str:
        """The first line of the documentation, without the full stop."""
        return cls.page().partition("\n")[0].rstrip(".")


class OperationRule(Rule):
    """A rule about calls of communication libraries: functions without one are passed over."""

    def check_module(self, module: ModuleView) -> Iterator[Finding]:
        """Findings of the functions that have such calls."""
        for function in module.with_operations:
            yield from self.check_function(function)


class TreeRule(Rule):
    """A purely syntactic rule: it is handed every LibCST node of the classes it listens to, during one shared walk."""

    listens: ClassVar[tuple[type[libcst.CSTNode], ...]] = ()

    def visit(self, node: libcst.CSTNode, tree: Tree) -> Iterator[Finding]:
        """Findings at one node; ``tree`` gives its span, the module's text and what names stand for."""
        raise NotImplementedError
