"""Reads and writes of the names of a scope, including nested scopes in which they are visible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions, written_names

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


class Scope:
    """Reads and writes of the names that one function (or the module body) binds."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._loads: dict[str, dict[ir.Span, ir.Name]] = {}
        self._shared: set[str] = set()
        self._collect(function.ir)
        for qualname, nested in function.module.functions.items():
            model = function.module_model.function(qualname)
            if nested is not function.ir and self._encloses(model):
                self._shared |= nested.nonlocals | nested.globals
                self._collect(nested, model)

    def loads(self, name: str) -> list[ir.Name]:
        """Each place that reads the name, in order."""
        return [node for _, node in sorted(self._loads.get(name, {}).items())]

    def stores(self, name: str) -> list[ir.Assign]:
        """The assignments that bind the name."""
        return [
            step
            for step in self.function.ir.steps()
            if isinstance(step, ir.Assign)
            and any(node.id == name for target in step.targets for node in written_names(target))
        ]

    def is_private(self, name: str) -> bool:
        """Whether only this scope binds the name, and no code outside the file can read it."""
        function = self.function
        if name in self._shared or not function.is_local(name):
            return False
        return function.ir.kind != "module" or not self._imported_elsewhere(name)

    def _imported_elsewhere(self, name: str) -> bool:
        return any(
            isinstance(step, ir.Import)
            and any(n.target.rpartition(".")[2] == name or n.bound == "*" for n in step.names)
            for model in self.function.project.modules()
            if model.ir is not self.function.module
            for step in model.ir.body.steps()
        )

    def _encloses(self, model: Function) -> bool:
        if self.function.ir.kind == "module":
            return True
        scope = model.parent
        while scope is not None:
            if scope is self.function:
                return True
            scope = scope.parent
        return False

    def _collect(self, function: ir.Function, scope: Function | None = None) -> None:
        for expression in self._read(function):
            for node in ir.walk(expression):
                if isinstance(node, ir.Name) and (scope is None or self._sees(scope, node.id)):
                    self._loads.setdefault(node.id, {})[node.span] = node

    def _sees(self, scope: Function, name: str) -> bool:
        """Whether a name that a nested function reads is the one bound here."""
        model: Function | None = scope
        while model is not None and model is not self.function:
            if model.ir.kind != "module" and model.is_local(name):
                return False
            model = model.parent
        return True

    def _read(self, function: ir.Function) -> Iterator[ir.Expression]:
        for block in function.blocks:
            for step in block.steps:
                yield from step.targets if isinstance(step, ir.Delete) else expressions_read(step)
            yield from terminator_expressions(block)
        for nested in self.function.module.functions.values():
            if nested.parent == function.qualname:
                yield from nested.decorators
                yield from (p.default for p in nested.parameters if p.default is not None)
        for owner in self.function.module.classes.values():
            if self.function.module.functions[owner.body].parent == function.qualname:
                yield from (*owner.bases, *owner.decorators)
