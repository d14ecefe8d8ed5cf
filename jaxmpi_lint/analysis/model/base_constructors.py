"""Communicators that a constructor passes to the constructors of base classes: ``super().__init__(comm)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.cfg.call_steps import steps_with
from jaxmpi_lint.analysis.lattice.communicator_substitution import NO_GROUPS, Groups, substitute_communicator
from jaxmpi_lint.analysis.lattice.lattice import Communicator, FunctionReference, Instance
from jaxmpi_lint.analysis.uniformity.passed_arguments import groups_of_call, with_defaults

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class BaseConstructors:
    """The communicators of the base classes of a class in terms of the constructor of the class."""

    def __init__(self, model: ClassDefinition) -> None:
        self._model = model
        self._groups: Groups | None = None

    def groups(self) -> Groups:
        """The communicators by their contexts in the constructors of base classes."""
        if self._groups is not None:
            return self._groups
        constructor = self._constructor()
        if constructor is None:
            self._groups = NO_GROUPS
        elif constructor.project.is_running(constructor):
            return NO_GROUPS
        else:
            self._groups = NO_GROUPS  # for arguments that are fields of the bases themselves
            known = _passed_on(constructor, frozenset())
            self._groups = Groups(known) if known else NO_GROUPS
        return self._groups

    def forget(self) -> None:
        """Discard what was found before the program was complete."""
        self._groups = None

    def _constructor(self) -> Function | None:
        qualname = self._model.ir.methods.get("__init__")
        if qualname is None or not self._model.bases:
            return None
        return self._model.module_model.function(qualname)


def _passed_on(constructor: Function, seen: frozenset[tuple[str, str]]) -> dict[str, Communicator]:
    calls = filter(_is_of_base, constructor.calls_by_callee.get(FunctionReference, ()))
    found: dict[str, Communicator] = {}
    for _, bound, env in steps_with(constructor, calls):
        found = {**_of_call(constructor, bound, env, seen), **found}  # a second call may pass the field itself
    return found


def _is_of_base(bound: BoundCall) -> bool:
    entity, owner = bound.callee.entity, bound.receiver.entity if bound.receiver is not None else None
    is_constructor = isinstance(entity, FunctionReference) and entity.qualname.endswith(".__init__")
    return is_constructor and isinstance(owner, Instance) and owner.key == "self"


def _of_call(
    constructor: Function, bound: BoundCall, env: Environment, seen: frozenset[tuple[str, str]]
) -> dict[str, Communicator]:
    reference = bound.callee.entity
    assert isinstance(reference, FunctionReference)
    base = constructor.project.function(*reference.key)
    if base is None or base.key in seen or constructor.project.is_running(base):
        return {}
    arguments = constructor.evaluator.calls.bind_arguments(reference, bound, env)
    groups = groups_of_call(constructor.evaluator, reference, bound, with_defaults(base, arguments, bound))
    above = _passed_on(base, seen | {constructor.key})
    return {**groups.known, **{name: substitute_communicator(one, groups) for name, one in above.items()}}
