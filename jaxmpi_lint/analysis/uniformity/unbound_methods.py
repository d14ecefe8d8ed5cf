"""Calls of a base class's method on the object itself: ``Base.__init__(self, comm)``, ``super().__init__(comm)``.

Also those of a method of mpi4py's communicators with the communicator first: ``MPI.Comm.Clone(MPI.COMM_WORLD)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Communicator, FunctionReference, Named, Value
from jaxmpi_lint.library.mpi.mpi4py_names import MEMBERS
from jaxmpi_lint.library.names import COMMUNICATOR_CLASSES

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, ExpressionEvaluator, Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment


_CLASSES = frozenset(MEMBERS + name for name in COMMUNICATOR_CLASSES)


@dataclass(frozen=True, slots=True)
class Called:
    """A call, its callee and its receiver."""

    call: ir.Call
    callee: Value
    receiver: Value | None


def may_be_method(call: ir.Call, receiver: Value) -> bool:
    """A cheap test: the receiver is a class, or the result of a call such as ``super()``."""
    return (
        isinstance(receiver.entity, ClassReference)
        or _is_class_of_mpi4py(receiver)
        or (isinstance(call.func, ir.Attribute) and isinstance(call.func.value, ir.Call))
    )


def as_method(evaluator: ExpressionEvaluator, called: Called, env: Environment) -> Called:
    """The call, as if the method of that class were called on the object."""
    func = called.call.func
    parent = _of_parent(evaluator.function, func) if isinstance(func, ir.Attribute) else None
    if parent is not None:
        own = ir.Name(called.call.func.span, evaluator.function.self_name or "")
        return replace(called, callee=Value.uniform(parent), receiver=evaluator.value(own, env))
    return _on_first_argument(evaluator, called, env)


def _on_first_argument(evaluator: ExpressionEvaluator, called: Called, env: Environment) -> Called:
    """``Base.method(object, ...)``."""
    if called.receiver is not None and _is_class_of_mpi4py(called.receiver):
        return _on_communicator(evaluator, called, env)
    entity, receiver, arguments = called.callee.entity, called.receiver, called.call.args
    if receiver is None or not isinstance(receiver.entity, ClassReference) or not arguments:
        return called
    if not isinstance(entity, FunctionReference) or entity.bound or arguments[0].star or arguments[0].keyword:
        return called
    method = evaluator.project.function(entity.path, entity.qualname)
    if method is None or method.self_name is None:
        return called
    return Called(
        replace(called.call, args=arguments[1:]),
        replace(called.callee, entity=replace(entity, bound=True)),
        evaluator.value(arguments[0].value, env),
    )


def _is_class_of_mpi4py(receiver: Value) -> bool:
    return isinstance(receiver.entity, Named) and receiver.entity.dotted in _CLASSES


def _on_communicator(evaluator: ExpressionEvaluator, called: Called, env: Environment) -> Called:
    """``MPI.Comm.method(comm, ...)``; what is called on a class of mpi4py otherwise stays as it is."""
    func, arguments = called.call.func, called.call.args
    if not isinstance(func, ir.Attribute) or not arguments or arguments[0].star or arguments[0].keyword:
        return called
    receiver = evaluator.value(arguments[0].value, env)
    if not isinstance(receiver.entity, Communicator):
        return called
    method = ir.Attribute(func.span, arguments[0].value, func.attr)
    call = replace(called.call, func=method, args=arguments[1:])
    return Called(call, evaluator.attribute(receiver, method, env), receiver)


def _of_parent(function: Function, callee: ir.Attribute) -> FunctionReference | None:
    """The method that ``super().name`` resolves to, where the classes of the project determine it."""
    match callee:
        case ir.Attribute(value=ir.Call(func=ir.Name(id="super"), args=args), attr=name) if function.self_name:
            owner = function.ir.owner
            if owner is None or (args and [ir.dotted(a.value) for a in args] != [owner, function.self_name]):
                return None
            return _inherited(function.module_model.class_model(owner), name)
    return None


def _inherited(model: ClassDefinition, name: str) -> FunctionReference | None:
    """The method of the bases; None after an unknown base, which may define it too."""
    passed: list[ClassDefinition] = []
    while model not in passed:
        passed.append(model)
        bases = [base for base in model.direct_bases if base != Named("builtins.object")]
        parent = model.project.class_model(bases[0]) if bases and isinstance(bases[0], ClassReference) else None
        if parent is None or _is_top_of_diamond(parent):
            return None
        if name in parent.ir.methods:
            return parent.method(name)
        if len(model.direct_bases) > 1:
            return None
        model = parent
    return None


def _is_top_of_diamond(parent: ClassDefinition) -> bool:
    """Whether a class of the project inherits from this one by several bases, one of which may precede it."""
    return any(
        sum(parent in base.linearization for base in other.linearization if base.reference in other.bases) > 1
        for other in _with_several_bases(parent.project)
    )


def _with_several_bases(project: Program) -> Iterator[ClassDefinition]:
    for module in project.modules():
        for qualname, definition in module.ir.classes.items():
            if len(definition.bases) > 1:
                yield module.class_model(qualname)
