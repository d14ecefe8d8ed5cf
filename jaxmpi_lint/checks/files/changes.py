"""Files that several ranks write, remove or make at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exclusive_files import is_for_one
from jaxmpi_lint.analysis.cfg.passed_arguments import default_of
from jaxmpi_lint.analysis.conditions.guards import guards
from jaxmpi_lint.checks.files.claims import is_of_claim
from jaxmpi_lint.checks.files.common_paths import common_parts
from jaxmpi_lint.checks.files.effects import FileEffect, FileEffects
from jaxmpi_lint.checks.files.evidence import Evidence
from jaxmpi_lint.checks.files.paths import Form
from jaxmpi_lint.checks.files.reached import Reach, Sharings
from jaxmpi_lint.checks.files.sharing import Sameness
from jaxmpi_lint.checks.files.turns import releases_lock, runs_in_turn
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module

_VERBS = {Effect.WRITES: "write", Effect.REMOVES: "remove", Effect.MAKES: "make"}
_USES_FILES = re.compile(
    r"open\(|File\(|Dataset\(|Store\(|Writer\(|FITS\(|netcdf_file|"
    r"save|dump|write|remove|unlink|rmtree|rename|replace\(|move\(|mkdir|makedirs|copy|to_\w+\("
)
_OF_JAX = re.compile(r"(?<![a-z])jax")
_OF_MPI = re.compile(r"(?<![a-zA-Z])(?:MPI|mpi|mpi4\w+|comm|COMM\w*)(?![a-zA-Z])")
_LOOKS = re.compile(r"exists|is_?dir|is_?file")


@dataclass(frozen=True, slots=True)
class SharedChange:
    """A change of one path by several ranks."""

    function: Function
    effect: FileEffect
    evidence: Evidence

    @property
    def place(self) -> Place:
        """The call in the function that several ranks run."""
        return Place(self.function.module, self.effect.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: one run may end well. Low for JAX: its processes are often on hosts with separate disks."""
        text = self.evidence.function.module.text
        return Confidence.LOW if _OF_JAX.search(text) and not _OF_MPI.search(text) else Confidence.MEDIUM

    @property
    def verb(self) -> str:
        """What the ranks do with the path."""
        return _VERBS[self.effect.use.effect]

    @property
    def name(self) -> str:
        """The call that does it."""
        return self.effect.use.name

    @property
    def kind(self) -> str:
        """Direct, or in a function that is called."""
        return "direct" if self.effect.is_direct else "called"

    def steps(self) -> Iterator[Step]:
        """What shows that several ranks run the code, and the change in a called function."""
        yield Step(self.evidence.function.module, self.evidence.span, self.evidence.message, aside=True)
        if not self.effect.is_direct:
            use = self.effect.use
            yield Step(use.function.module, use.call.span, f"the ranks {self.verb} the same path here")


def users(module: Module) -> Iterable[Function]:
    """The functions of a file that may use files."""
    return module.functions() if _USES_FILES.search(module.ir.text) else ()


def shared_changes(function: Function) -> Iterator[SharedChange]:
    """The changes by several ranks in one function."""
    project = function.project
    if not project.has_mpi_evidence and not project.mentions(("jax",)):
        return
    effects = function.get(FileEffects)
    if not any(_changes(effect) for effect in effects.found):
        return
    reported: set[ir.Span] = set()
    for effect in effects.found:
        if effect.span in reported or not _changes(effect):
            continue
        evidence = project.get(Reach).by_several(function, effect.block, effect.span)
        if evidence is not None and _is_shared(function, effect):
            reported.add(effect.span)
            yield SharedChange(function, effect, evidence)


def _changes(effect: FileEffect) -> bool:
    """Whether an effect is a fault if several ranks have it on one path."""
    use = effect.use
    if use.together or use.is_end or (use.effect is Effect.REMOVES and releases_lock(use.function)):
        return False
    if use.exclusive and use.tolerant:
        return False
    if use.effect is Effect.MAKES:
        return not use.tolerant and not _is_looked_for(effect)
    return use.effect is Effect.WRITES or (use.effect is Effect.REMOVES and not use.tolerant)


def _is_looked_for(effect: FileEffect) -> bool:
    """Whether a folder is made after a test that it is missing, which is JM410."""
    function = effect.use.function
    tests = (function.module.source(guard.branch.test.span) for guard in guards(function, effect.use.block))
    return any(_LOOKS.search(test) for test in tests)


def _is_shared(function: Function, effect: FileEffect) -> bool:
    project = function.project
    reach = project.get(Reach)
    if not all(reach.reaches(*place) for place in effect.places):
        return False
    if any(is_for_one(*place) for place in _places(effect)) or _is_claimed(effect.form):
        return False
    if not effect.is_direct and _is_shown_inside(effect):
        return False
    if _may_be_in_own_folder(function, effect) or _is_in_turn(function, effect):
        return False
    common, sharings = common_parts(function), project.get(Sharings)
    if sharings.sharing.of_form(effect.form, common) is Sameness.SAME:
        return True
    if _is_handed_in(effect.form) or not reach.by_all(function, effect.block, effect.span):
        return False
    return sharings.by_all.of_form(effect.form, common) is Sameness.SAME


def _is_claimed(path: Form) -> bool:
    """Whether a part of a path is what a rank alone could make, or one of the tasks that it has taken so."""
    parts = ((part.function, part.expression) for part in path)
    return any(function is not None and value is not None and is_of_claim(function, value) for function, value in parts)


def _places(effect: FileEffect) -> Iterator[tuple[ir.Function, int, ir.Span]]:
    """The use of a file and the calls that lead to it, each in its function."""
    span = effect.use.call.span
    for function, block, frame in reversed(effect.places):
        yield function.ir, block, span
        span = frame.call.span if frame is not None else span


def _is_handed_in(form: Form) -> bool:
    """Whether the name of a file begins with a parameter: the caller may choose a different file on each rank."""
    first = form[0]
    for folder, part in pairwise(form):
        if (folder.is_literal and folder.text.endswith("/")) or (part.is_literal and "/" in part.text):
            first = part
    if first.function is None or not isinstance(first.expression, ir.Name):
        return False
    name = first.expression.id
    default = default_of(first.function, name)
    is_named = isinstance(default, ir.Constant) and isinstance(default.value, str)
    return any(one.name == name for one in first.function.ir.parameters) and not is_named


def _is_shown_inside(effect: FileEffect) -> bool:
    """Whether a function on the way to the use has the defect by itself."""
    return any(_has_defect(function, effect) for function, _, _ in effect.places[1:])


def _has_defect(function: Function, effect: FileEffect) -> bool:
    reach = function.project.get(Reach)
    return any(
        one.use is effect.use
        and reach.by_several(function, one.block, one.span) is not None
        and _is_shared(function, one)
        for one in function.get(FileEffects).found
    )


def _may_be_in_own_folder(function: Function, effect: FileEffect) -> bool:
    """Whether a relative path is used in a program that changes its working directory, perhaps to one of each rank."""
    first = effect.form[0] if effect.form else None
    is_relative = first is not None and first.is_literal and not first.text.startswith("/")
    return is_relative and function.project.mentions(("chdir",))


def _is_in_turn(function: Function, effect: FileEffect) -> bool:
    """Whether a rank may wait for a message before the change and send one after it, as ranks that take turns do."""
    if runs_in_turn(function, effect.span) or runs_in_turn(effect.use.function, effect.use.call.span):
        return True
    calls = [(bound.known_operation, bound.call.span) for bound in function.operation_calls]
    received = any(one.kind is Kind.RECEIVE and span < effect.span for one, span in calls)
    return received and any(one.kind is Kind.SEND and span > effect.span for one, span in calls)
