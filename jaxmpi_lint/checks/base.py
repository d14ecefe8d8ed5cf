"""Common parts of checks: the protocol of defects, detectors by scope, and steps of explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Span, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.interfaces import Module as ModuleView
    from jaxmpi_lint.analysis.participation.must_collectives import NextCollective


class Defect(Protocol):
    """One defect in a program; the rule has the message for it.

    If a rule has several kinds of defects, a defect also has a ``kind``: the name of the rule's variant.
    """

    @property
    def place(self) -> Place:
        """Where the finding is shown."""

    @property
    def confidence(self) -> Confidence:
        """The confidence of the finding."""

    def steps(self) -> Iterable[Step]:
        """The explanation, in the order of execution."""


class Link(Protocol):
    """One link of a chain of reasons."""

    @property
    def module(self) -> Any:
        """The file."""

    @property
    def span(self) -> Span:
        """The place in the file."""

    @property
    def message(self) -> str:
        """What the program does there."""


class Chained(Protocol):
    """A reason and the reasons for it."""

    def chain(self) -> list[Any]:
        """The links, the source first."""


class Nested(Protocol):
    """A call, and the call inside its callee that it leads to."""

    @property
    def module(self) -> Any:
        """The file of the call."""

    @property
    def span(self) -> Span:
        """The place in the file."""

    @property
    def what(self) -> str:
        """The name of the callee in an explanation."""

    @property
    def inner(self) -> Any:
        """The call inside the callee, None at the end."""


@dataclass(frozen=True, slots=True)
class InFunctions:
    """Checks the functions of each reported file that ``of`` selects."""

    find: Callable[[Function], Iterable[Defect]]
    of: Callable[[ModuleView], Iterable[Function]]

    def __call__(self, project: Program) -> Iterator[Defect]:
        """The defects in a project."""
        for module in project.reported_modules():
            yield from self.in_module(module)

    def in_module(self, module: ModuleView) -> Iterator[Defect]:
        """The defects in one file."""
        for function in self.of(module):
            yield from self.find(function)


@dataclass(frozen=True, slots=True)
class InModules:
    """Checks each reported file as a whole."""

    find: Callable[[ModuleView], Iterable[Defect]]

    def __call__(self, project: Program) -> Iterator[Defect]:
        """The defects in a project."""
        for module in project.reported_modules():
            yield from self.find(module)

    def in_module(self, module: ModuleView) -> Iterable[Defect]:
        """The defects in one file."""
        return self.find(module)


@dataclass(frozen=True, slots=True)
class InProject:
    """Checks the project as a whole."""

    find: Callable[[Program], Iterable[Defect]]

    def __call__(self, project: Program) -> Iterable[Defect]:
        """The defects in a project."""
        return self.find(project)


Detector = InFunctions | InModules | InProject
NOWHERE = InFunctions(lambda function: (), lambda module: ())
"""Finds nothing."""


def in_project(find: Callable[[Program], Iterable[Defect]]) -> InProject:
    """A detector that calls ``find`` on the project as a whole."""
    return InProject(find)


def in_modules(find: Callable[[ModuleView], Iterable[Defect]]) -> InModules:
    """A detector that calls ``find`` on each file as a whole."""
    return InModules(find)


def in_functions(find: Callable[[Function], Iterable[Defect]]) -> InFunctions:
    """A detector that calls ``find`` on each function (the module body is one)."""
    return InFunctions(find, lambda module: module.functions())


def in_communicating(find: Callable[[Function], Iterable[Defect]]) -> InFunctions:
    """A detector that calls ``find`` on each function that calls a communication library."""
    return InFunctions(find, lambda module: module.with_operations)


def links_of(reason: Chained | None) -> list[Any]:
    """The links of a chain of reasons, the source first."""
    return reason.chain() if reason is not None else []


def link_steps(links: Iterable[Link]) -> list[Step]:
    """The links of a chain as steps."""
    return [Step(link.module, link.span, link.message) for link in links]


def reason_steps(reason: Chained | None) -> list[Step]:
    """The reasons why a value differs, as steps."""
    return link_steps(links_of(reason))


def confidence_of(reason: Chained | None) -> Confidence:
    """High if the divergent source itself is used, medium if a value derived from it is."""
    return Confidence.HIGH if len(links_of(reason)) <= 1 else Confidence.MEDIUM


def inner_collective(ahead: NextCollective) -> Iterator[Step]:
    """The collective itself, if it is in a called function."""
    if ahead.span != ahead.at:
        yield Step(ahead.module, ahead.span, "the collective, in the called function")


def nested_steps(inner: Nested | None, message: str) -> Iterator[Step]:
    """The calls inside a call, one step for each level; ``{what}`` in the message is the callee."""
    while inner is not None:
        yield Step(inner.module, inner.span, message.format(what=inner.what))
        inner = inner.inner


def wrap_in_sorted(span: Span, message: str, applicability: Applicability) -> Repair:
    """The repair that wraps an expression in `sorted`."""
    start, end = span
    return Repair(applicability, message, (((start, start), "sorted("), ((end, end), ")")))


def assign_result(start: int, name: str, target: str | None = None) -> Repair:
    """The repair that assigns the result of the call at ``start`` to ``target``, by default to the name."""
    edit = ((start, start), f"{target or name} = ")
    return Repair(Applicability.UNSAFE, f"assign the result to `{name}`", (edit,))
