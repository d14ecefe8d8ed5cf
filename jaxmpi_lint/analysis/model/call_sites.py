"""Classes of arguments, by the calls that the project makes of a function."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Communicator, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import ARGUMENT_CALLS, ARGUMENT_CLASSES
from jaxmpi_lint.analysis.model.classes import is_static

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_Site = tuple["Function", ir.Call]
_Class = ClassReference | Named

COMMUNICATOR = Named("mpi4py.MPI.Comm")
"""The class of all communicators."""


class CallSites:
    """The classes of arguments that are constructed in sight of a call, or passed on from such a place.

    Found from the text alone, so that the data flow of a function can use it before those of its callers are known.
    """

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str, str], _Class | None] = {}
        self._sites: dict[tuple[str, str], list[_Site]] = {}

    def class_of(self, function: Function, parameter: str) -> _Class | None:
        """The one class of all arguments whose class is known."""
        return self._of_parameter(function, parameter, 0)

    def by_name(self, function: Function) -> list[_Site]:
        """The calls that may be of a function, as they have its name; those without arguments are left out.

        A name that stands for something else where it is called is left out as well.
        """
        if function.key not in self._sites:
            sites = self._calls_by_name.get(_called_name(function), ())
            self._sites[function.key] = [site for site in sites if _may_be_of(function, *site)]
        return self._sites[function.key]

    def _of_parameter(self, function: Function, parameter: str, depth: int) -> _Class | None:
        key = *function.key, parameter
        if key not in self._known:
            self._known[key] = None  # for recursive functions
            self._known[key] = self._among(function, parameter, depth)
        return self._known[key]

    def _among(self, function: Function, parameter: str, depth: int) -> _Class | None:
        sites = self.by_name(function)
        found: set[_Class] = set()
        for caller, call in sites if len(sites) <= ARGUMENT_CALLS else ():
            argument = _argument(function, call, parameter)
            found.update(self._classes(caller, argument, depth) if argument is not None else ())
            if len(found) > 1:
                return None
        return next(iter(found), None)

    @cached_property
    def _calls_by_name(self) -> dict[str, list[_Site]]:
        found: dict[str, list[_Site]] = {}
        for model in self._project.modules():
            for function in model.functions():
                for call in function.ir.calls() if not function.ir.is_too_large else ():
                    name = _last_name(call.func)
                    if name is not None and call.args:
                        found.setdefault(name, []).append((function, call))
        return found

    def _classes(self, function: Function, expression: ir.Expression, depth: int) -> Iterator[_Class]:
        """The classes that an expression may be an object of, as far as they are visible."""
        if depth > ARGUMENT_CLASSES:
            return
        match expression:
            case ir.Call(func=func):
                yield from self._made_by(function, func, depth)
            case ir.Name(id=name):
                yield from self._named(function, name, depth)
            case ir.Attribute() if _is_of_all(function, expression):
                yield COMMUNICATOR
            case ir.Attribute(value=ir.Name(id=name), attr=attribute) if name == function.self_name:
                yield from self._field(function, attribute, depth)
            case ir.Conditional(body=body, orelse=orelse):
                yield from self._classes(function, body, depth + 1)
                yield from self._classes(function, orelse, depth + 1)

    def _made_by(self, function: Function, called: ir.Expression, depth: int) -> Iterator[_Class]:
        made = self._made_by_library(function, called)
        if made is not None:
            yield Named(made)
        if ir.dotted(called) is None or _is_bound_inside(function, ir.dotted(called) or ""):
            return
        entity = function.module_model.named(called).entity
        if isinstance(entity, ClassReference):
            yield entity
        target = self._project.function(*entity.key) if isinstance(entity, FunctionReference) else None
        for block in target.ir.blocks if target is not None and not target.ir.is_generator else ():
            end = block.terminator
            if target is not None and isinstance(end, ir.Return) and end.value is not None:
                yield from self._classes(target, end.value, depth + 1)

    def _made_by_library(self, function: Function, called: ir.Expression) -> str | None:
        """The class of a library whose object a call returns: ``create_mesh(comm)``, ``Vec().create(comm)``."""
        match called:
            case ir.Attribute(value=ir.Call(func=owner), attr=attribute):
                name = f".{attribute}"
            case _:
                owner, name = called, ""
        dotted = ir.dotted(owner)
        if dotted is None or _is_bound_inside(function, dotted.partition(".")[0]):
            return None
        entity = function.module_model.named(owner).entity
        return self._project.catalogue.class_made_by(entity.dotted + name) if isinstance(entity, Named) else None

    def _named(self, function: Function, name: str, depth: int) -> Iterator[_Class]:
        if name == function.self_name and function.ir.owner is not None:
            yield ClassReference(function.module.path, function.ir.owner)
        elif function.is_local(name) and any(parameter.name == name for parameter in function.ir.parameters):
            found = self._of_parameter(function, name, depth + 1) if not function.rebinds(name) else None
            yield from (found,) if found is not None else ()
        else:
            defined = visible_definitions(function, name)
            for value in defined[1] if defined is not None else ():
                yield from self._classes(defined[0], value, depth + 1) if defined is not None else ()

    def _field(self, function: Function, attribute: str, depth: int) -> Iterator[_Class]:
        owner = function.module.classes.get(function.ir.owner or "")
        for qualname in owner.methods.values() if owner is not None else ():
            method = function.module_model.function(qualname)
            for value in method.assignments.get(f"{method.self_name}.{attribute}", {}).values():
                yield from self._classes(method, value, depth + 1)


def _is_of_all(function: Function, expression: ir.Expression) -> bool:
    """Whether an expression is the communicator of all processes, ``MPI.COMM_WORLD``."""
    dotted = ir.dotted(expression)
    if dotted is None or _is_bound_inside(function, dotted.partition(".")[0]):
        return False
    entity = function.module_model.named(expression).entity
    return isinstance(entity, Communicator) and not entity.is_self


def _may_be_of(function: Function, caller: Function, call: ir.Call) -> bool:
    """Whether a call by the name of a function is not known to be one of another function or class."""
    if not isinstance(call.func, ir.Name) or _is_bound_inside(caller, call.func.id):
        return True
    entity = caller.module_model.named(call.func).entity
    if isinstance(entity, FunctionReference):
        is_decorated = entity.qualname.rpartition(".")[2] != call.func.id  # or imported under a different name
        return is_decorated or entity.key == function.key
    if isinstance(entity, ClassReference):
        return (entity.path, entity.qualname) == (function.module.path, function.ir.owner)
    return True


def _is_bound_inside(function: Function, name: str) -> bool:
    """Whether a name is one of the function's own, and not of its module."""
    return function is not function.module_model.body and function.is_local(name)


def _called_name(function: Function) -> str:
    name = function.ir.name
    return (function.ir.owner or name).rpartition(".")[2] if name == "__init__" else name


def _last_name(called: ir.Expression) -> str | None:
    match called:
        case ir.Name(id=name) | ir.Attribute(attr=name):
            return name
    return None


def _argument(function: Function, call: ir.Call, parameter: str) -> ir.Expression | None:
    """What a call passes for a parameter, if it calls this function."""
    if call.has_star:
        return None
    names = [one.name for one in function.ir.parameters if one.kind in ("positional", "plain")]
    if function.ir.kind == "method" and not is_static(function.ir):
        names = names[1:]
    position = names.index(parameter) if parameter in names else len(call.args)
    return call.argument(position, parameter)
