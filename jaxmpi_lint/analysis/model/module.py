"""One file of the project: its functions, classes and global names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import names_bound
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    ClassReference,
    FunctionReference,
    ModuleReference,
    Named,
    Value,
)
from jaxmpi_lint.analysis.model.classes import ClassModel
from jaxmpi_lint.analysis.model.function import FunctionModel
from jaxmpi_lint.analysis.tracing.traced_functions import decorated
from jaxmpi_lint.sources.suppressions import uniform_rows

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program


_UNMISTAKABLE = frozenset({"os"})
"""Modules with unambiguous names, so that a star import of a file that was not read may bring them."""


class ModuleModel:
    """One file: its functions, classes and global names."""

    def __init__(self, project: Program, module: ir.Module) -> None:
        self.project = project
        self.ir = module
        self._functions: dict[str, FunctionModel] = {}
        self._classes: dict[str, ClassModel] = {}
        self._mentioned: dict[tuple[str, ...], bool] = {}
        self._named: dict[tuple[str, ...], bool] = {}
        self._settled: dict[str, Value] | None = None
        self._known_names: dict[str, Value] = {}
        self.told_early: dict[str, Value | None] = {}
        """Values of globals used while the module's own data flow was incomplete."""

    def function(self, qualname: str) -> FunctionModel:
        """A function by its qualified name."""
        model = self._functions.get(qualname)
        if model is None:
            model = self._functions[qualname] = FunctionModel(self.project, self, self.ir.functions[qualname])
        return model

    def functions(self) -> Sequence[FunctionModel]:
        """Every function, lambda, class body and the module body."""
        return self._every

    @cached_property
    def _every(self) -> tuple[FunctionModel, ...]:
        return tuple(self.function(qualname) for qualname in self.ir.functions)

    @cached_property
    def inner(self) -> dict[str, list[str]]:
        """The functions and class bodies directly inside each function."""
        found: dict[str, list[str]] = {}
        for qualname, function in self.ir.functions.items():
            if function.parent is not None:
                found.setdefault(function.parent, []).append(qualname)
        return found

    @cached_property
    def with_operations(self) -> tuple[FunctionModel, ...]:
        """The functions with calls of a communication library."""
        return tuple(function for function in self.functions() if function.operation_calls)

    def class_model(self, qualname: str) -> ClassModel:
        """A class by its qualified name."""
        model = self._classes.get(qualname)
        if model is None:
            model = self._classes[qualname] = ClassModel(self, self.ir.classes[qualname])
        return model

    @cached_property
    def body(self) -> FunctionModel:
        """The module's own statements."""
        return self.function("<module>")

    def mentions(self, parts: tuple[str, ...]) -> bool:
        """Whether the text contains one of these substrings."""
        if parts not in self._mentioned:
            self._mentioned[parts] = any(part in self.ir.text for part in parts)
        return self._mentioned[parts]

    def names(self, words: tuple[str, ...]) -> bool:
        """Whether the text contains one of these names as a whole word."""
        if words not in self._named:
            self._named[words] = any(_stands_in(word, self.ir.text) for word in words)
        return self._named[words]

    @cached_property
    def uniform_rows(self) -> frozenset[int]:
        """Rows on which a comment declares the computed values to be equal on all processes."""
        return uniform_rows(self.ir.text)

    def is_declared_uniform(self, span: ir.Span) -> bool:
        """Whether a statement or header has such a comment on one of its rows."""
        if not self.uniform_rows:
            return False
        rows = range(self.ir.position(span[0])[0], self.ir.position(span[1])[0] + 1)
        return any(row in self.uniform_rows for row in rows)

    @property
    def connects_processes(self) -> bool:
        """Whether this file makes the JAX processes one program, with one of them for each rank of the world.

        Without `jax.distributed`, every rank of MPI runs a separate JAX program, and events on rank 0 do not affect the
        others. A different file of the project may belong to a different program.
        """
        return "distributed.initialize" in self.ir.text

    @cached_property
    def written_names(self) -> frozenset[str]:
        """Names that functions of the module declare global."""
        return frozenset().union(*(function.globals for function in self.ir.functions.values()))

    @cached_property
    def _global_writes(self) -> dict[str, Value]:
        written: dict[str, Value] = {}
        for function in self.ir.functions.values():
            if any(name in function.globals for step in function.steps() for name in names_bound(step)):
                for name, value in self.function(function.qualname).flow.global_writes.items():
                    written[name] = written[name].join(value) if name in written else value
        return written

    @cached_property
    def _star_imports(self) -> list[str]:
        return [
            name.target
            for step in self.ir.body.steps()
            if isinstance(step, ir.Import)
            for name in step.names
            if name.bound == "*"
        ]

    def global_value(self, name: str) -> Value | None:
        """The value of a global name once the module has run, None if the module does not bind it."""
        if self._settled is not None and name in self._settled:
            return self._settled[name]
        body = self.body
        if self._settled is None and not self.project.is_running(body):
            end = body.flow.exit.items()
            self._settled = {bound: value for bound, value in end if bound not in self.written_names}
            if name in self._settled:
                return self._settled[name]
        found: Value | None = None
        if body.is_local(name):
            if self.project.is_running(body):
                found = self.told_early[name] = self._definition(name)
            else:
                found = body.flow.exit.get(name)
                if found is None:
                    found = self._definition(name)
        if not self.project.is_running(body) and name in self.written_names:
            with self.project.running_once(self.ir.path, "globals") as first:
                written = self._global_writes.get(name) if first else None
            if written is not None:
                found = written if found is None else found.join(written)
        return found if found is not None else self._star_value(name)

    def named(self, expression: ir.Expression) -> Value:
        """The value of a name, or a chain of attributes on one, outside of any function."""
        path = ir.dotted(expression) or ""
        known = self._known_names.get(path)
        if known is None:
            known = self.body.evaluator.value(expression, {})
            first, dot, _ = path.partition(".")
            if self._is_settled(first) and (not dot or isinstance(self.named(ir.root(expression)).entity, Named)):
                self._known_names[path] = known
        return known

    def _is_settled(self, name: str) -> bool:
        """Whether the value of a name is final."""
        if self._settled is None or not name:
            return False
        bound = self.body.is_local(name) or name in self.written_names or bool(self._star_imports)
        return name in self._settled or not bound

    def _definition(self, name: str) -> Value | None:
        """A function, class, import or name that is bound once, while the module's own data flow is incomplete."""
        if name in self.ir.functions:
            return decorated(self.body, Value.uniform(FunctionReference(self.ir.path, name)), {})
        if name in self.ir.classes:
            return Value.uniform(ClassReference(self.ir.path, name))
        if name in self._imports:
            return self.project.imported(self.ir, self._imports[name])
        return self._bound_once(name)

    @cached_property
    def _imports(self) -> dict[str, str]:
        """The names that the module's own imports bind, the first import of several."""
        found: dict[str, str] = {}
        for step in self.ir.body.steps():
            for imported in step.names if isinstance(step, ir.Import) else ():
                found.setdefault(imported.bound, imported.target)
        return found

    def _bound_once(self, name: str) -> Value | None:
        """The value of the only assignment to a global name."""
        found = self._assignments.get(name, ())
        if len(found) != 1:
            return None
        value, index = found[0]
        with self.project.running_once(f"{self.ir.path}:{name}", "definition") as first:
            held = self.body.evaluator.value(value, {}) if first else NOTHING
        if index is None:
            return held.called(name)
        return held.elements[index] if held.elements is not None and index < len(held.elements) else NOTHING

    @cached_property
    def _assignments(self) -> dict[str, list[tuple[ir.Expression, int | None]]]:
        """The values assigned to global names by the module itself; the position for a part of a tuple."""
        found: dict[str, list[tuple[ir.Expression, int | None]]] = {}
        for step in self.ir.body.steps():
            if isinstance(step, ir.AugmentedAssign) and isinstance(step.target, ir.Name):
                found.setdefault(step.target.id, []).extend([(step.value, None)] * 2)
            if not isinstance(step, ir.Assign) or step.value is None:
                continue
            for target in step.targets:
                parts = target.elements if isinstance(target, ir.Collection) else (target,)
                for index, part in enumerate(parts):
                    if isinstance(part, ir.Name):
                        position = index if isinstance(target, ir.Collection) else None
                        found.setdefault(part.id, []).append((step.value, position))
        return found

    def _star_value(self, name: str) -> Value | None:
        unread = False
        for target in self._star_imports:
            with self.project.running_once(
                self.ir.path, "star import"
            ) as first:  # otherwise n! paths through n of them
                source = self.project.imported(self.ir, target) if first else NOTHING
            if isinstance(source.entity, ModuleReference) and not name.startswith("_"):
                other = self.project.module(source.entity.path)
                with self.project.running_once(f"{source.entity.path}:{name}", "star") as first:
                    found = other.global_value(name) if other is not None and first else None
                if found is not None:
                    return found
            elif isinstance(source.entity, Named) and self.project.catalogue.function(f"{source.entity.dotted}.{name}"):
                return Value.uniform(Named(self.project.canonical(f"{source.entity.dotted}.{name}")))
            unread = unread or not isinstance(source.entity, ModuleReference)
        return Value.uniform(Named(name)) if unread and name in _UNMISTAKABLE else None


def _stands_in(word: str, text: str) -> bool:
    """Whether a name occurs in a text as a whole word; much faster than a regular expression."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        around = text[max(0, start - 1) : start], text[end : end + 1]
        if not any(beside.isalnum() or beside == "_" for beside in around):
            return True
        start = text.find(word, end)
    return False
