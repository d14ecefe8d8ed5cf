"""Data types of rules and checks: a finding, the steps of its story, a fix, and the examples of a rule.

Nothing here depends on how a file is read or how a rule works: a file is any object with a path and a text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from jaxmpi_lint.findings.diagnostics import Applicability, Confidence, Diagnostic, Severity

Span = tuple[int, int]


class SourceFile(Protocol):
    """The file that a finding is about."""

    @property
    def path(self) -> str:
        """The path of the file."""

    @property
    def text(self) -> str:
        """The text of the file."""

    @property
    def faithful(self) -> bool:
        """Whether the syntax tree reproduces the text: otherwise the file is never fixed."""

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column, both from 1, of a character offset."""

    def source(self, span: Span) -> str:
        """The text of a span."""

    def statement_around(self, span: Span) -> Span:
        """The smallest statement that contains the span."""


class Described(Protocol):
    """The attributes of a rule that findings and reports use."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    preview: ClassVar[bool]
    fix: ClassVar[Applicability | None]

    @classmethod
    def page(cls) -> str:
        """The documentation in Markdown."""

    @classmethod
    def summary(cls) -> str:
        """The first line of the documentation."""


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a file."""

    module: SourceFile
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the story: where a reason was read, a branch, the call that the other processes reach.

    ``aside``: the place is no part of the defect, and may have a separate finding.
    """

    module: SourceFile
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
    """A finding of a rule at one place; ``table`` has the last events of ranks side by side, titles first."""

    rule: Described
    module: SourceFile
    span: Span
    message: str
    steps: tuple[Step, ...] = ()
    remedy: str = ""
    repair: Repair | None = None
    confidence: Confidence = Confidence.HIGH
    severity: Severity = Severity.ERROR
    table: tuple[tuple[str, ...], ...] = ()


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


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """Description of a rule in a report; ``page`` is its documentation in Markdown, ``fix`` its best fix."""

    code: str
    name: str
    severity: Severity
    summary: str
    page: str = ""
    preview: bool = False
    fix: Applicability | None = None

    @classmethod
    def of(cls, rule: type[Described]) -> RuleInfo:
        """The description of a rule class."""
        return cls(rule.code, rule.name, rule.severity, rule.summary(), rule.page(), rule.preview, rule.fix)


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that a comment in the source suppresses, with the reason given there."""

    diagnostic: Diagnostic
    reason: str = ""
