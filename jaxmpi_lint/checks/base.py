"""What checks yield and have in common: defects, the lines of their stories, and where to look."""

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
    """One mistake in a program: the rule puts it into words.

    A defect of which there are several kinds also has a ``kind``: the name of the rule's variant.
    """

    @property
    def place(self) -> Place:
        """Where the finding is shown."""

    @property
    def confidence(self) -> Confidence:
        """How sure it is."""

    def steps(self) -> Iterable[Step]:
        """Its story, in the order in which it happens."""


class Link(Protocol):
    """One link of a chain of reasons."""

    @property
    def module(self) -> Any:
        """The file it was read in."""

    @property
    def span(self) -> Span:
        """Where."""

    @property
    def message(self) -> str:
        """What was read."""


class Chained(Protocol):
    """A reason and the reasons for it."""

    def chain(self) -> list[Any]:
        """The source first."""


class Nested(Protocol):
    """A call, and the one inside it that it comes to."""

    @property
    def module(self) -> Any:
        """The file it stands in."""

    @property
    def span(self) -> Span:
        """Where."""

    @property
    def what(self) -> str:
        """How a story names it."""

    @property
    def inner(self) -> Any:
        """The call inside it, None at the end."""


@dataclass(frozen=True, slots=True)
class InFunctions:
    """Looks into every function of the reported files, or only into those that ``of`` names in a file."""

    find: Callable[[Function], Iterable[Defect]]
    of: Callable[[ModuleView], Iterable[Function]]

    def __call__(self, project: Program) -> Iterator[Defect]:
        """The defects of a project."""
        for module in project.reported_modules():
            yield from self.in_module(module)

    def in_module(self, module: ModuleView) -> Iterator[Defect]:
        """The defects of one file."""
        for function in self.of(module):
            yield from self.find(function)


@dataclass(frozen=True, slots=True)
class InModules:
    """Looks into every reported file as a whole."""

    find: Callable[[ModuleView], Iterable[Defect]]

    def __call__(self, project: Program) -> Iterator[Defect]:
        """The defects of a project."""
        for module in project.reported_modules():
            yield from self.find(module)

    def in_module(self, module: ModuleView) -> Iterable[Defect]:
        """The defects of one file."""
        return self.find(module)


@dataclass(frozen=True, slots=True)
class InProject:
    """Looks at the project as a whole."""

    find: Callable[[Program], Iterable[Defect]]

    def __call__(self, project: Program) -> Iterable[Defect]:
        """The defects of a project."""
        return self.find(project)


Detector = InFunctions | InModules | InProject
NOWHERE = InFunctions(lambda function: (), lambda module: ())
"""Finds nothing."""


def in_project(find: Callable[[Program], Iterable[Defect]]) -> InProject:
    """What ``find`` sees in the project as a whole, where single functions do not tell enough."""
    return InProject(find)


def in_modules(find: Callable[[ModuleView], Iterable[Defect]]) -> InModules:
    """What ``find`` sees in each file, where the functions of a file belong together."""
    return InModules(find)


def in_functions(find: Callable[[Function], Iterable[Defect]]) -> InFunctions:
    """What ``find`` sees in each function (the module's own code is one)."""
    return InFunctions(find, lambda module: module.functions())


def in_communicating(find: Callable[[Function], Iterable[Defect]]) -> InFunctions:
    """What ``find`` sees in each function that calls a communication library."""
    return InFunctions(find, lambda module: module.with_operations)


def links_of(reason: Chained | None) -> list[Any]:
    """The links of a chain of reasons, the source first."""
    return reason.chain() if reason is not None else []


def link_steps(links: Iterable[Link]) -> list[Step]:
    """The links of a chain as lines of a story."""
    return [Step(link.module, link.span, link.message) for link in links]


def reason_steps(reason: Chained | None) -> list[Step]:
    """Why a value differs, as lines of a story."""
    return link_steps(links_of(reason))


def confidence_of(reason: Chained | None) -> Confidence:
    """High where the difference itself is read, medium where it came through other values."""
    return Confidence.HIGH if len(links_of(reason)) <= 1 else Confidence.MEDIUM


def inner_collective(ahead: NextCollective) -> Iterator[Step]:
    """The collective itself, where it is in a function that is called."""
    if ahead.span != ahead.at:
        yield Step(ahead.module, ahead.span, "the collective, in the function that is called")


def nested_steps(inner: Nested | None, message: str) -> Iterator[Step]:
    """The calls inside a call, one step for each level; ``{what}`` in the message is what is called."""
    while inner is not None:
        yield Step(inner.module, inner.span, message.format(what=inner.what))
        inner = inner.inner


def wrap_in_sorted(span: Span, message: str, applicability: Applicability) -> Repair:
    """The repair that sorts what an expression gives."""
    start, end = span
    return Repair(applicability, message, (((start, start), "sorted("), ((end, end), ")")))


def assign_result(start: int, name: str, target: str | None = None) -> Repair:
    """The repair that keeps what the call at ``start`` returns; ``target`` is what is written, if not the name."""
    edit = ((start, start), f"{target or name} = ")
    return Repair(Applicability.UNSAFE, f"assign the result to `{name}`", (edit,))
