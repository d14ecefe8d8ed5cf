"""Files that each rank tests for: whether two ranks may get different answers.

The answers to one question differ if the ranks ask for different files, or if the program changes the file between the
tests of two ranks. An input that nothing changes was there, or was not, before the run. A change that only follows a
collective after the test comes too late: all ranks have tested by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.uniformity.contexts import called_parameters
from jaxmpi_lint.checks.collectives.file_paths import FilePaths
from jaxmpi_lint.checks.divergence_story import DivergenceDefect, confidence
from jaxmpi_lint.checks.files.effects import FileEffect, FileEffects
from jaxmpi_lint.checks.files.ordering import Ordering
from jaxmpi_lint.checks.files.path_matches import (
    answers,
    is_in_memory,
    is_same_place,
    makes_folder,
    may_be_same,
    written_alike,
)
from jaxmpi_lint.checks.files.paths import text_of
from jaxmpi_lint.checks.files.questions import Question, question_of
from jaxmpi_lint.checks.files.reached import Sharings
from jaxmpi_lint.checks.files.sharing import Sameness
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_DEPTH = 2
"""Callers of callers in which changes of a file are looked for."""

_CHANGES = frozenset({Effect.APPENDS, Effect.MAKES, Effect.REMOVES, Effect.WRITES})
_OF_FILES = frozenset({Effect.APPENDS, Effect.READS, Effect.WRITES})


@dataclass(frozen=True, slots=True)
class FileDivergence(DivergenceDefect):
    """A divergence by a test for a file."""

    @property
    def confidence(self) -> Confidence:
        """That of the divergence, if two ranks may get different answers; low otherwise."""
        return confidence(self.divergence) if may_differ(self.divergence) else Confidence.LOW


def may_differ(divergence: Divergence) -> bool:
    """Whether two ranks may get different answers, as far as the program shows."""
    question = question_of(divergence)
    if question is None:
        return True
    if is_in_memory(question.effect.form):
        return False
    if _is_of_each_rank(question) or _is_asked_again(question):
        return True
    asked = list(_levels(question))
    branches = (block.index for block, branch, _ in divergence.function.branches() if branch is divergence.branch)
    test = next(branches, None)
    return any(_is_changed(one, test if one is question else None) for one in asked) or _is_changed_elsewhere(
        question, asked
    )


def _levels(question: Question, depth: int = 0) -> Iterator[Question]:
    """The question as the function asks it, and as its callers do."""
    yield question
    for outer in question.in_callers() if depth < _DEPTH else ():
        yield from _levels(outer, depth + 1)


def _is_of_each_rank(question: Question) -> bool:
    """Whether the ranks ask for different files."""
    sharing = question.function.project.get(Sharings).sharing
    return sharing.of_form(question.effect.form) is Sameness.OWN


def _is_asked_again(question: Question) -> bool:
    """Whether a loop asks for one file again and again: the file is to appear, or to go, during the run."""
    function, block = question.function, question.effect.block
    reached = function.graph.reachable(block)
    loop = {one for one in reached if one < len(function.ir.blocks) and block in function.graph.reachable(one)}
    if not any(block in function.graph.successors[one] for one in loop):
        return False
    bound = {name for one in loop for step in function.ir.blocks[one].steps for name in names_bound(step)}
    return bound.isdisjoint(ir.dotted(node) or "" for node in ir.walk(question.call))


# --- changes ---


def _is_changed(question: Question, test: int | None) -> bool:
    """Whether a rank may change the file, in the function that is looked at or its callees, before others test.

    ``test`` is the block of the branch on the answer, if that is in this function.
    """
    ordering = question.function.get(Ordering)
    return any(
        ordering.is_open_between(change, question.effect, test)
        or ordering.is_open_between(question.effect, change, test)
        for change in (*_changes(question), *_unknown_code(question))
    )


def _changes(question: Question) -> Iterator[FileEffect]:
    form = question.effect.form
    effects = question.function.get(FileEffects).found
    is_file = any(one.use.effect in _OF_FILES and text_of(one.form) == text_of(form) for one in effects)
    for change in effects:
        if is_file and makes_folder(change):
            continue
        if change.use.effect in _CHANGES and answers(question.asked, form, change):
            inside = change.span == question.effect.span  # both in one called function, which is looked at by itself
            if not inside and (is_same_place(form, change) or may_be_same(form, change.form)):
                yield change


def _unknown_code(question: Question) -> Iterator[FileEffect]:
    """Calls that may change the path: of functions that were handed in, and of programs that are given the path."""
    function, paths = question.function, FilePaths(question.function)
    handed = called_parameters(function.ir)
    parts = paths.parts(question.path) if question.owner.key == function.key else None
    for block, bound in function.calls_by_block:
        func = bound.call.func
        is_handed_in = isinstance(func, ir.Name) and func.id in handed
        if is_handed_in or (parts is not None and paths.may_be_made(parts, bound)):
            use = replace(question.effect.use, block=block, call=bound.call, effect=Effect.WRITES)
            yield FileEffect(use, question.effect.form, block, bound.call.span, None, ((function, block, None),))


def _is_changed_elsewhere(question: Question, asked: list[Question]) -> bool:
    """Whether code that may run before, as nothing in sight calls both, changes the same path."""
    seen = {one.function.key for one in asked}
    seen.update(
        place[0].key for one in asked for effect in one.function.get(FileEffects).found for place in effect.places
    )
    others = (one for model in question.function.project.modules() for one in model.functions())
    return any(_is_changed_in(question, other) for other in others if other.key not in seen)


def _is_changed_in(question: Question, other: Function) -> bool:
    return any(
        change.use.effect in _CHANGES
        and answers(question.asked, question.effect.form, change)
        and (is_same_place(question.effect.form, change) or written_alike(question.owner, question.effect.form, change))
        for change in other.get(FileEffects).direct
    )
