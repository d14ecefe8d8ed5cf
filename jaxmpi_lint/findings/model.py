"""What rules and checks say: a finding, the steps of its story, a repair, and the examples of a rule.

Nothing here knows how a file is read or how a rule works: a file is whatever has a path and a text.
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
        """Where it lies."""

    @property
    def text(self) -> str:
        """What it holds."""

    @property
    def faithful(self) -> bool:
        """Whether what was parsed gives the text again: else it is never fixed."""

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column, both from 1, of a character offset."""

    def source(self, span: Span) -> str:
        """The text of a span."""

    def statement_around(self, span: Span) -> Span:
        """The smallest statement that contains the span."""


class Described(Protocol):
    """What a finding and a report need of a rule."""

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

    ``aside`` tells that the place is no part of the defect: it may have one of its own.
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
    """What a rule has to say about one place."""

    rule: Described
    module: SourceFile
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


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What a report says about a rule; ``page`` is its documentation in Markdown, ``fix`` its best repair."""

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
    """A finding that a comment in the source silences, with the reason given there."""

    diagnostic: Diagnostic
    reason: str = ""
