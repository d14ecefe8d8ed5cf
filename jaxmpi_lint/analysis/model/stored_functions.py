"""Functions stored in tables, or looked up by computed names: a call of an element may run any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import definitions
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program


class StoredFunctions:
    """The functions stored in tables of each file, as in ``{"start": self.start}``.

    A file that looks up objects by computed names (``globals()[name]``, ``getattr(self, name)``) may find any function.
    """

    def __init__(self, project: Program) -> None:
        self._project = project
        self._of_files: dict[str, tuple[Function, ...]] = {}
        self._within_reach: dict[str, tuple[Function, ...]] = {}

    def of(self, path: str) -> tuple[Function, ...]:
        """The stored functions of a file and of the files that it imports."""
        if path not in self._within_reach:
            model = self._project.module(path)
            paths = {path: None, **dict.fromkeys(self._project.imported_files(model.ir))} if model is not None else {}
            found = self._all_of_file if model is not None and model.ir.looks_up_names else self._of_file
            self._within_reach[path] = tuple(function for other in paths for function in found(other))
        return self._within_reach[path]

    def _of_file(self, path: str) -> tuple[Function, ...]:
        if path not in self._of_files:
            model = self._project.module(path)
            self._of_files[path] = tuple(_stored(model)) if model is not None else ()
        return self._of_files[path]

    def _all_of_file(self, path: str) -> Iterator[Function]:
        model = self._project.module(path)
        return (function for function in model.functions() if _is_named(function.ir)) if model is not None else iter(())


def _stored(model: Module) -> Iterator[Function]:
    """The stored functions that the file defines, or imports and stores under the same name."""
    names = model.ir.stored_names
    for qualname, function in model.ir.functions.items():
        stored = qualname.rpartition(".")[0] if function.name == "__init__" else function.name
        if _is_named(function) and (stored in names or _may_be_registered(model, function)):
            yield model.function(qualname)
    for step in model.ir.body.steps():
        for imported in step.names if isinstance(step, ir.Import) else ():
            if imported.bound in names:
                entity = model.project.imported(model.ir, imported.target).entity
                if isinstance(entity, (ClassReference, FunctionReference)):
                    name = f"{entity.qualname}.__init__" if isinstance(entity, ClassReference) else entity.qualname
                    found = model.project.function(entity.path, name)
                    if found is not None:
                        yield found


def _is_named(function: ir.Function) -> bool:
    return function.kind in ("function", "method")


def _may_be_registered(model: Module, function: ir.Function) -> bool:
    """Whether a decorator of the program may put the function into a table."""
    called = (one.func if isinstance(one, ir.Call) else one for one in function.decorators)
    return any(isinstance(model.named(one).entity, FunctionReference) for one in called)


def is_look_up(function: Function, called: ir.Expression) -> bool:
    """Whether a callee is an element of a table, or a name for one."""
    if isinstance(called, ir.Name):
        values = definitions(function, called.id) or []
        return bool(values) and all(is_element(value) and not isinstance(value, ir.Name) for value in values)
    return is_element(called)


def is_element(called: ir.Expression) -> bool:
    """Whether a callee may come from a table: an element, the result of a look-up, or a name for one."""
    match called:
        case ir.Call(func=ir.Name(id="getattr"), args=(_, ir.Argument(value=ir.Constant()), *_)):
            return False  # an attribute, whose name the text states
        case ir.Call(func=ir.Attribute(attr="get") | ir.Name(id="getattr")):
            return True
        case ir.Subscript() | ir.Name():
            return True
    return False
