"""Lists that are padded or shortened by what depends on how long they are, which may make all of them equally long.

``own += [None] * (longest - len(own))``, the same with `extend`, and an `append` in a loop or a test that asks for the
length. Whether the lists then have one length is not checked: nothing else needs ``longest - len(own)`` elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.library.python.sequences import RESIZING_METHODS

_REMOVING = frozenset({"clear", "pop", "popleft", "remove"})
_OF_ONE = frozenset({"append", "appendleft", "insert", "pop", "popleft", "remove"})


class Padding:
    """The places in a function where lists are padded."""

    def __init__(self, function: ir.Function) -> None:
        self._function = function

    def adds(self, step: ir.AugmentedAssign) -> bool:
        """Whether a list is padded by ``+=``."""
        place = ir.dotted(step.target)
        return place is not None and self.depends_on_length(step.value, place)

    def extended(self, call: ir.Call) -> str | None:
        """The list that a call of `extend` pads."""
        match call:
            case ir.Call(func=ir.Attribute(attr="extend", value=owner), args=(added,)):
                place = ir.dotted(owner)
                if place is not None and self.depends_on_length(added.value, place):
                    return place
        return None

    def around(self, branch: ir.Branch) -> tuple[str, ...]:
        """The lists that a loop or a test pads: ``while len(own) < longest: own.append(0)``."""
        return self._around.get(branch.span, ())

    def changes_one(self, branch: ir.Branch) -> bool:
        """Whether a test decides about single elements, as `if len(own) < longest: own.append(0)` does."""
        methods = self._methods_in(branch)
        return branch.kind == "if" and bool(methods & _OF_ONE) and methods.isdisjoint({"extend", "clear"})

    def removes(self, branch: ir.Branch) -> bool:
        """Whether a loop or a test shortens lists: ``while len(own) > shortest: own.pop()``."""
        methods = self._methods_in(branch)
        return not methods.isdisjoint(_REMOVING) and methods.isdisjoint(RESIZING_METHODS - _REMOVING)

    def _methods_in(self, branch: ir.Branch) -> set[str]:
        first, end = branch.extent
        inside = (call for call in self._function.calls() if first <= call.span[0] < end)
        return {call.func.attr for call in inside if isinstance(call.func, ir.Attribute)}

    def depends_on_length(self, expression: ir.Expression, place: str) -> bool:
        """Whether a value is computed from ``len(place)``, directly or by names of the function."""
        seen = {place}
        todo = [expression]
        while todo:
            for node in ir.walk(todo.pop()):
                match node:
                    case ir.Call(func=ir.Name(id="len"), args=(counted,)) if ir.dotted(counted.value) == place:
                        return True
                    case ir.Name(id=name) if name not in seen:
                        seen.add(name)
                        todo += self._assigned.get(name, ())
        return False

    @cached_property
    def _around(self) -> dict[ir.Span, tuple[str, ...]]:
        resized, extended = list(self._resized()), list(self._extended())
        found: dict[ir.Span, tuple[str, ...]] = {}
        for block in self._function.blocks if resized else ():
            if isinstance(block.terminator, ir.Branch):
                first, end = block.terminator.extent
                inside = dict.fromkeys(place for place, span in resized if first <= span[0] < end)
                inside |= dict.fromkeys(place for place, span in extended if span[0] <= first and end <= span[1])
                test = block.terminator.test
                if block.terminator.kind != "if" or not _is_of_constant(test):
                    places = (place for place in inside if self.depends_on_length(test, place))
                    found[block.terminator.span] = tuple(places)
        return found

    @cached_property
    def _assigned(self) -> dict[str, list[ir.Expression]]:
        found: dict[str, list[ir.Expression]] = {}
        for step in self._function.steps():
            match step:
                case ir.Assign(targets=(ir.Name(id=name),), value=ir.Expression() as value):
                    found.setdefault(name, []).append(value)
        return found

    def _extended(self) -> Iterator[tuple[str, ir.Span]]:
        for call in self._function.calls():
            place = self.extended(call)
            if place is not None:
                yield place, call.span

    def _resized(self) -> Iterator[tuple[str, ir.Span]]:
        for call in self._function.calls():
            if isinstance(call.func, ir.Attribute) and call.func.attr in RESIZING_METHODS:
                yield ir.dotted(call.func.value) or "", call.span
        for step in self._function.steps():
            if isinstance(step, ir.AugmentedAssign):
                yield ir.dotted(step.target) or "", step.span


def _is_of_constant(test: ir.Expression) -> bool:
    """Whether a test compares a length with a constant: ``if len(own) == 0`` does not bring lists to one length."""
    operands = test.operands if isinstance(test, ir.Comparison) else ()
    has_length = any(isinstance(one, ir.Call) and ir.dotted(one.func) == "len" for one in operands)
    return has_length and any(isinstance(one, ir.Constant) for one in operands)
