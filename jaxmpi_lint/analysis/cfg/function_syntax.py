"""Names that the steps of a function bind, assign and read, whatever their values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, names_bound, names_stored, place_of, reads_anywhere
from jaxmpi_lint.library.python.process_exit import KILLS_JOB, LEAVES_INTERPRETER

_ENDING_ALL = re.compile(r"Abort$|^abort$|(?:^|[._])(?:mpi_abort|abort_(?:all|mpi|job))$")

_CHOICES = (ir.BooleanOperation, ir.Comparison, ir.Conditional)


class FunctionText:
    """Facts derived from the steps alone."""

    def __init__(self, function: ir.Function) -> None:
        self.ir = function

    @cached_property
    def assignments(self) -> dict[str, dict[ir.Span, ir.Expression]]:
        """The values of plain assignments to names and attributes, by their positions."""
        found: dict[str, dict[ir.Span, ir.Expression]] = {}
        for step in self.ir.steps():
            if isinstance(step, ir.Assign) and step.value is not None:
                for target in step.targets:
                    path = ir.dotted(target)
                    if path is not None:
                        found.setdefault(path, {})[step.value.span] = step.value
        return found

    @cached_property
    def attributes_read(self) -> dict[str, set[str]]:
        """The attributes, methods included, that are read of each name or chain of attributes."""
        found: dict[str, set[str]] = {}
        for step in self.ir.steps():
            for expression in expressions_read(step):
                for node in ir.walk(expression):
                    if isinstance(node, ir.Attribute) and (path := ir.dotted(node.value)) is not None:
                        found.setdefault(path, set()).add(node.attr)
        return found

    @cached_property
    def sorted_places(self) -> frozenset[str | None]:
        """The names and chains of attributes with an element that is sorted in place."""
        called = (call.func for call in self.ir.calls())
        return frozenset(
            place_of(method.value) for method in called if isinstance(method, ir.Attribute) and method.attr == "sort"
        )

    @cached_property
    def methods_called(self) -> dict[str, set[str]]:
        """The methods that are called on each name or chain of attributes."""
        found: dict[str, set[str]] = {}
        for call in self.ir.calls():
            if isinstance(call.func, ir.Attribute):
                found.setdefault(ir.dotted(call.func.value) or "", set()).add(call.func.attr)
        return found

    @cached_property
    def tested_names(self) -> frozenset[str]:
        """The names that a test depends on, here or in a function that receives them."""
        tests: list[ir.Expression] = []
        for expression in reads_anywhere(self.ir):
            tests += [node for node in ir.walk(expression) if isinstance(node, _CHOICES)]
        tests += [argument.value for call in self.ir.calls() for argument in call.args]
        tests += [block.terminator.test for block in self.ir.blocks if isinstance(block.terminator, ir.Branch)]
        return frozenset(node.id for test in tests for node in ir.walk(test) if isinstance(node, ir.Name))

    @cached_property
    def ending_all(self) -> list[int]:
        """Blocks that end every process, as ``Abort()`` does, and ``os._exit()`` in a job."""
        named = self._called_by_block()
        return [index for index, name in named if name in KILLS_JOB or _ENDING_ALL.search(name)]

    @cached_property
    def leaving(self) -> frozenset[int]:
        """Blocks that end this process, as ``sys.exit()`` does."""
        return frozenset(index for index, name in self._called_by_block() if name in LEAVES_INTERPRETER)

    def _called_by_block(self) -> Iterator[tuple[int, str]]:
        return ((block, ir.dotted(call.func) or "") for block, _, call in self.ir.placed_calls())

    @cached_property
    def places_stored(self) -> tuple[ir.Expression, ...]:
        """The assignment targets that are no plain names."""
        return tuple(
            target
            for step in self.ir.steps()
            if isinstance(step, (ir.Assign, ir.AugmentedAssign))
            for target in (step.targets if isinstance(step, ir.Assign) else (step.target,))
            if not isinstance(target, ir.Name)
        )

    def rebinds(self, name: str) -> bool:
        """Whether a step binds a name, so that a parameter may no longer hold the argument."""
        return name in self.names_bound

    @cached_property
    def bound_otherwise(self) -> frozenset[str]:
        """Parameters, and names bound in any way other than an assignment of a value to the name alone."""
        steps = (step for step in self.ir.steps() if not isinstance(step, ir.Assign))
        others = (name for step in steps for name in names_bound(step))
        return self.bound_in_part.union((parameter.name for parameter in self.ir.parameters), others)

    @cached_property
    def bound_in_part(self) -> frozenset[str]:
        """Names assigned a part of a value, or a modified one: ``a, b = c`` and ``a += 1``."""
        found: set[str] = set()
        for step in self.ir.steps():
            if isinstance(step, ir.AugmentedAssign):
                found.update(names_bound(step))
            elif isinstance(step, ir.Assign):
                parts = (target for target in step.targets if not isinstance(target, ir.Name))
                found.update(name for part in parts for name in names_stored(part))
        return frozenset(found)

    @cached_property
    def names_bound(self) -> frozenset[str]:
        """The names that the steps bind."""
        found: set[str] = set()
        for step in self.ir.steps():
            match step:
                case ir.Evaluate() | ir.Discard():  # the majority, and they bind nothing
                    pass
                case ir.Assign(targets=(ir.Name(id=name),)):
                    found.add(name)
                case _:
                    found.update(names_bound(step))
        return frozenset(found)
