"""The test for a file on which a branch depends: where a function asks, and for which path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.checks.files.effects import FileEffect
from jaxmpi_lint.checks.files.paths import Frame, form_of
from jaxmpi_lint.checks.files.uses import FileUse, FileUses
from jaxmpi_lint.library.python.file_operations import Effect
from jaxmpi_lint.library.python.files import ASKING_METHODS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.divergence.divergence import Divergence
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_CALLERS = 8
"""Calls of one function that are considered."""


@dataclass(frozen=True, slots=True)
class Question:
    """A test for a file, as a function makes it by itself or in one that it calls.

    ``asked`` is the name of the test, ``effect`` the test as a use of the path.
    """

    function: Function
    asked: str
    effect: FileEffect

    @property
    def owner(self) -> Function:
        """The function that contains the test."""
        return self.effect.use.function

    @property
    def path(self) -> ir.Expression:
        """The path, as the owner writes it."""
        return self.effect.use.path

    @property
    def call(self) -> ir.Call:
        """The call by which the function asks."""
        places = self.effect.places
        frame = places[1][2] if len(places) > 1 else None
        return frame.call if frame is not None else self.effect.use.call

    def in_callers(self) -> Iterator[Question]:
        """The same question as those functions ask it that call this one."""
        for site in self.function.project.get(CallSites).of(self.function)[:_CALLERS]:
            if site.caller.key not in {place[0].key for place in self.effect.places}:
                yield _asked_by(site.caller, site.block, site.bound.call, self)


def question_of(divergence: Divergence) -> Question | None:
    """The test for a file that a branch depends on; None if it is not known which."""
    function, reason = divergence.function, divergence.test.reason
    if reason is None:
        return None
    links = reason.chain()
    owner = _owner(function, links[0].module.path, links[0].span)
    found = _asked(owner, links[0].span) if owner is not None else None
    if owner is None or found is None:
        return None
    question = _asked_here(owner, *found)
    if owner.key == function.key:
        return question
    spans = {link.span for link in links if link.module.path == function.module.path}
    calls = [(block, bound.call, called) for block, bound, called in function.calls_of_functions]
    named = [one for one in calls if one[1].span in spans] or [one for one in calls if one[2].key == owner.key]
    return _asked_by(function, named[0][0], named[0][1], question) if named else None


def _owner(function: Function, path: str, span: ir.Span) -> Function | None:
    """The innermost function around a place."""
    models = (model for model in function.project.modules() if model.ir.path == path)
    around = [one for model in models for one in model.functions() if one.ir.span[0] <= span[0] < one.ir.span[1]]
    found = max(around, key=lambda one: one.ir.span[0], default=None)
    return function if found is not None and found.key == function.key else found


def _asked(owner: Function, span: ir.Span) -> tuple[int, ir.Call, ir.Expression, str] | None:
    """The block, the call, the path and the name of a test, or of the opening of a file that may be missing."""
    for block, bound in owner.calls_by_block:
        if bound.call.span == span:
            func, given = bound.call.func, bound.call.argument(0)
            name = func.attr if isinstance(func, ir.Attribute) else ir.dotted(func) or ""
            is_method = isinstance(func, ir.Attribute) and (
                given is None or (not bound.dotted and name in ASKING_METHODS)
            )
            path = func.value if is_method and isinstance(func, ir.Attribute) else given
            return None if path is None else (block, bound.call, path, name)
    tries = [step for step in owner.ir.steps() if isinstance(step, ir.Try)]
    for step in tries:
        if any(handler.span[0] <= span[0] < handler.span[1] for handler in step.handlers):
            for use in owner.get(FileUses).found:
                if use.effect is Effect.READS and step.body[0] <= use.call.span[0] < step.body[1]:
                    return use.block, use.call, use.path, "open"
    return None


def _asked_here(owner: Function, block: int, call: ir.Call, path: ir.Expression, name: str) -> Question:
    use = FileUse(owner, block, call, Effect.READS, path, name)
    return Question(owner, name, FileEffect(use, form_of(owner, path), block, call.span, None, ((owner, block, None),)))


def _asked_by(caller: Function, block: int, call: ir.Call, question: Question) -> Question:
    """A question of a called function, as one of its caller."""
    outer = Frame(caller, call)
    places = [(function, at, _within(frame, outer)) for function, at, frame in question.effect.places]
    frame = places[-1][2]
    form = form_of(question.owner, question.path, frame)
    found = FileEffect(question.effect.use, form, block, call.span, frame, ((caller, block, None), *places))
    return Question(caller, question.asked, found)


def _within(frame: Frame | None, outer: Frame) -> Frame:
    """A frame, with one more call around it."""
    return outer if frame is None else Frame(frame.caller, frame.call, _within(frame.outer, outer))
