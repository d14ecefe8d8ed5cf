"""Calls that leave a communicator to its default, the world, where other calls of the class pass the given one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Communicator, FunctionReference
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator, own_communicator
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses, call_of
from jaxmpi_lint.checks.mpi4py.world_reads import names_world
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import Kind

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class OmittedCommunicator:
    """Such a call: ``passed`` is an argument elsewhere for a parameter with the same default."""

    function: Function
    own: OwnCommunicator
    bound: BoundCall
    keyword: str
    use: CommunicatorUse
    passed: Place
    kind: str = "omitted"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.function.module, self.bound.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium: the world may be intended here."""
        return Confidence.MEDIUM

    @property
    def method(self) -> str:
        """The collective."""
        return self.use.operation.method

    @property
    def called(self) -> str:
        """What is called, as it is written."""
        return self.function.module.line(self.bound.call.func.span)

    @property
    def meant(self) -> str:
        """The communicator to pass."""
        return self.own.text

    @property
    def repair(self) -> Repair | None:
        """The given communicator as a further argument."""
        call = self.bound.call
        is_generator = any(isinstance(argument.value, ir.Comprehension) for argument in call.args)
        end = call.span[1] - 1
        before = self.function.module.text[call.func.span[1] : end].rstrip()
        if self.own.may_be_none or "#" in before or (is_generator and len(call.args) == 1):
            return None
        joint = "" if before.endswith(("(", ",")) else ", "
        edit = ((end, end), f"{joint}{self.keyword}={self.meant}")
        return Repair(Applicability.UNSAFE, f"pass `{self.meant}`", (edit,))

    def steps(self) -> Iterator[Step]:
        """Where the communicator is given, where it is passed, and where the collective is."""
        yield Step(self.own.module, self.own.span, "the caller chooses the communicator")
        yield Step(self.passed.module, self.passed.span, "it is passed here")
        yield Step(self.use.module, self.use.span, "the collective")


def omitted_communicators(function: Function, own: OwnCommunicator) -> Iterator[OmittedCommunicator]:
    """The calls of one function, if a call of its class passes the given communicator for such a parameter."""
    for bound, keyword, use in _left_to_defaults(function):
        passed = next(_passed(function), None)
        if passed is None:
            return
        yield OmittedCommunicator(function, own, bound, keyword, use, passed)


def _left_to_defaults(function: Function) -> Iterator[tuple[BoundCall, str, CommunicatorUse]]:
    uses = function.project.get(CommunicatorUses)
    for bound, _ in _calls(function):
        keyword, given = _defaulted(function, bound)
        target = _called(function, bound)
        taken = own_communicator(target) if target is not None else None
        if keyword is None or given is not None or target is None or taken is None or taken.text != keyword:
            continue
        collectives = (use for use in uses.of_function(target) if use.operation.kind is Kind.COLLECTIVE)
        use = next((use for use in collectives if taken.is_meant(use.communicator)), None)
        if use is not None:
            yield bound, keyword, use


def _passed(function: Function) -> Iterator[Place]:
    """The arguments that hand the given communicator on, in the function or in the methods of its class."""
    for method in _of_class(function):
        own = own_communicator(method)
        for bound, env in _calls(method) if own is not None else ():
            _, given = _defaulted(method, bound)
            entity = method.value(given, env).entity if given is not None else None
            if own is not None and given is not None and isinstance(entity, Communicator) and own.is_meant(entity):
                yield Place(method.module, given.span)


def _of_class(function: Function) -> list[Function]:
    owner = function.ir.owner
    if owner is None or owner not in function.module.classes:
        return [function]
    return [function.module_model.function(name) for name in function.module.classes[owner].methods.values()]


def _calls(function: Function) -> Iterator[tuple[BoundCall, Environment]]:
    for _, step, env in function.steps():
        bound = call_of(function, step)
        if bound is not None and isinstance(bound.callee.entity, FunctionReference):
            yield bound, env


def _called(function: Function, bound: BoundCall) -> Function | None:
    entity = bound.callee.entity
    return function.project.function(entity.path, entity.qualname) if isinstance(entity, FunctionReference) else None


def _defaulted(function: Function, bound: BoundCall) -> tuple[str | None, ir.Expression | None]:
    """The parameter of a called function whose default is the world, and what is passed for it."""
    target = _called(function, bound)
    if target is None or any(argument.star for argument in bound.call.args):
        return None, None
    parameters = [one for one in target.ir.parameters if one.name != target.self_name]
    for position, parameter in enumerate(parameters):
        if parameter.kind != "positional" and parameter.default is not None and _is_world(target, parameter):
            place = position if parameter.kind == "plain" else None
            return parameter.name, bound.call.argument(place, parameter.name)
    return None, None


def _is_world(target: Function, parameter: ir.Parameter) -> bool:
    default = parameter.default
    if default is None or not names_world(default):
        return False
    around = target.module_model.function("<module>")
    entity = around.value(default, around.flow.exit).entity
    return isinstance(entity, Communicator) and entity.context == WORLD
