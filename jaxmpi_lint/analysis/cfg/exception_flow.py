"""Exceptional control flow of a function: which handler catches an exception, and whether it leaves silently."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Named
from jaxmpi_lint.library.python.process_exit import RAISES_SYSTEM_EXIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxmpi_lint.analysis.lattice.interfaces import Function

_ROOT_CLASSES = frozenset({"Exception", "BaseException", "object"})


@dataclass(frozen=True, slots=True)
class ExceptionClass:
    """An exception class: its name, those of all its bases, and whether there may be unknown bases."""

    name: str
    ancestry: frozenset[str]
    complete: bool


class ExceptionFlow:
    """Normal control flow and handlers of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = function.ir.blocks
        self._reachable: dict[tuple[int, int | None, bool], frozenset[int]] = {}
        self._leaving: dict[int, ir.Call | None] = {}
        self._open: set[int] = set()

    @cached_property
    def tries(self) -> list[ir.Try]:
        """The ``try`` statements that are reachable."""
        if self.function.module.text.find("try", *self.function.ir.span) < 0:
            return []
        entries = self.function.flow.entries
        reached = (block for block in self.blocks if entries[block.index] is not None)
        return [step for block in reached for step in block.steps if isinstance(step, ir.Try)]

    @cached_property
    def handlers(self) -> dict[int, ir.Handler]:
        """The handlers by their entry blocks."""
        return {handler.entry: handler for tried in self.tries for handler in tried.handlers}

    def exit_call(self, index: int) -> ir.Call | None:
        """The call that ends the process at a block, as an exception would."""
        if index not in self._leaving:
            calls = (
                b.call for b in self.calls(index) if (b.dotted or "").removeprefix("builtins.") in RAISES_SYSTEM_EXIT
            )
            self._leaving[index] = next(calls, None)
        return self._leaving[index]

    def calls(self, index: int) -> list[BoundCall]:
        """The calls of a block, resolved, in order."""
        return self._calls.get(index, [])

    @cached_property
    def _calls(self) -> dict[int, list[BoundCall]]:
        found: dict[int, list[BoundCall]] = {}
        for index, bound in self.function.calls_by_block:
            found.setdefault(index, []).append(bound)
        return found

    def next(self, index: int) -> tuple[int, ...]:
        """The successors of a block without an exception."""
        return () if self.exit_call(index) is not None else self.blocks[index].successors

    def reachable(self, start: int, stop: int | None = None, exceptions: bool = True) -> frozenset[int]:
        """Blocks on paths from ``start`` that avoid ``stop``, those of handlers included."""
        if start == stop:
            return frozenset()
        key = start, stop, exceptions
        if key not in self._reachable:
            self._reachable[key] = frozenset(self._reach(start, stop, exceptions))
        return self._reachable[key]

    def _reach(self, start: int, stop: int | None, exceptions: bool) -> set[int]:
        seen, stack = {start}, [start]
        while stack:
            index = stack.pop()
            for target in (*self.next(index), *(self.blocks[index].handlers if exceptions else ())):
                if target not in seen and target != stop:
                    seen.add(target)
                    stack.append(target)
        return seen

    def leading_to(self, target: int, region: frozenset[int]) -> set[int]:
        """The blocks of a region with a path within it to a block of it, that one included."""
        seen, stack = {target}, [target]
        while stack:
            for source in self._sources.get(stack.pop(), ()):
                if source in region and source not in seen:
                    seen.add(source)
                    stack.append(source)
        return seen

    @cached_property
    def _sources(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for block in self.blocks:
            for target in (*self.next(block.index), *block.handlers):
                found.setdefault(target, []).append(block.index)
        return found

    def leaves(self, index: int, raised: ExceptionClass | None, tells: Callable[[int], bool]) -> bool:
        """Whether an exception raised in a block leaves the function.

        It does not where a handler may continue instead, or where ``tells`` is true of a block on the way out.
        """
        for entry in self.blocks[index].handlers:
            handler = self.handlers.get(entry)
            caught = True if handler is None else self.catches(handler, raised)
            if caught is False:
                continue
            if not self._goes_on_raising(entry, tells):
                return False
            if caught:
                return True
        return True

    def _goes_on_raising(self, entry: int, tells: Callable[[int], bool]) -> bool:
        """Whether a handler or the copy of a ``finally`` raises again on every path through it.

        A handler that leads back to the code it handles, such as a retry loop, continues.
        """
        if entry in self._open:
            return False
        region = self.reachable(entry, exceptions=False)
        if any(map(tells, region)) or any(map(self._returns, region)):
            return False
        self._open.add(entry)
        raising = [index for index in sorted(region) if isinstance(self.blocks[index].terminator, ir.Raise)]
        again = all(self.leaves(index, None, tells) for index in raising)
        self._open.discard(entry)
        return again

    def _returns(self, index: int) -> bool:
        return isinstance(self.blocks[index].terminator, ir.Return) and self.exit_call(index) is None

    # --- which exceptions a handler catches ---

    def catches(self, handler: ir.Handler, raised: ExceptionClass | None) -> bool | None:
        """Whether a handler catches an exception; None if unknown."""
        if handler.kind is None:
            return True
        kinds = handler.kind.elements if isinstance(handler.kind, ir.Collection) else (handler.kind,)
        verdict: bool | None = False
        for kind in kinds:
            taken = self.exception_class(kind)
            if taken is not None and taken.name == "BaseException":
                return True
            if taken is None or raised is None:
                verdict = None
            elif taken.name in raised.ancestry:
                return True
            elif not raised.complete:
                verdict = None
        return verdict

    def exception_class(self, expression: ir.Expression | None) -> ExceptionClass | None:
        """The class that an expression names or instantiates."""
        if expression is None:
            return None
        named = expression.func if isinstance(expression, ir.Call) else expression
        match self.function.value(named, {}).entity:
            case Named(dotted):
                return builtin_exception(dotted.removeprefix("builtins.")) or ExceptionClass(
                    dotted, _ROOT_CLASSES | {dotted}, False
                )
            case ClassReference() as reference:
                return self._project_class(reference)
        return None

    def _project_class(self, reference: ClassReference) -> ExceptionClass | None:
        model = self.function.project.class_model(reference)
        if model is None:
            return None
        names = {_key(parent.reference) for parent in model.linearization}
        complete = all(len(parent.bases) == len(parent.ir.bases) for parent in model.linearization)
        for base in model.library_bases:
            known = builtin_exception(base.removeprefix("builtins."))
            names |= known.ancestry if known is not None else {base}
            complete = complete and known is not None
        return ExceptionClass(_key(reference), frozenset(names), complete)


def builtin_exception(name: str) -> ExceptionClass | None:
    """A builtin exception class; its aliases (``IOError``) are the same class."""
    found = getattr(builtins, name, None)
    if not isinstance(found, type) or not issubclass(found, BaseException):
        return None
    return ExceptionClass(found.__name__, frozenset(base.__name__ for base in found.__mro__), True)


def _key(reference: ClassReference) -> str:
    return f"{reference.path}:{reference.qualname}"


def caught_raises(function: ir.Function) -> dict[int, int]:
    """The blocks that end in a ``raise`` caught in the same function, and the entry blocks of their handlers."""
    raising = [(b, b.terminator) for b in function.blocks if b.handlers and isinstance(b.terminator, ir.Raise)]
    tries = (step for step in function.steps() if isinstance(step, ir.Try)) if raising else ()
    handlers = {one.entry: one for step in tries for one in step.handlers}
    found: dict[int, int] = {}
    for block, end in raising if handlers else ():
        entry = _taken_at(block, end.value, handlers)
        if entry is not None:
            found[block.index] = entry
    return found


def _taken_at(block: ir.Block, raised: ir.Expression | None, handlers: dict[int, ir.Handler]) -> int | None:
    name = ir.dotted(raised.func if isinstance(raised, ir.Call) else raised) if raised is not None else None
    if name is None:
        return None
    for entry in block.handlers:
        taken = takes(handlers[entry], name) if entry in handlers else None
        if taken is not False:
            return entry if taken else None
    return None


def takes(handler: ir.Handler, name: str) -> bool | None:
    """Whether a handler catches the exception class of a name; None if unknown."""
    if handler.kind is None:
        return True
    kinds = handler.kind.elements if isinstance(handler.kind, ir.Collection) else (handler.kind,)
    names = [ir.dotted(kind) for kind in kinds]
    if name in names or "BaseException" in names:
        return True
    raised = builtin_exception(name)
    known = [builtin_exception(kind) for kind in names if kind is not None]
    if raised is not None and any(kind is not None and kind.name in raised.ancestry for kind in known):
        return True
    return None if raised is None or None in known or len(known) < len(names) else False
