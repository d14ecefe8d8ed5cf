"""Constant propagation from the arguments of a call: expressions, tests, and reachable blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.conditions.configuration_choices import Outcome, settles
from jaxmpi_lint.analysis.conditions.rank_facts import COMPARISONS
from jaxmpi_lint.analysis.conditions.three_valued import decide, is_truth_value
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference, Literal
from jaxmpi_lint.analysis.lattice.limits import CONSTANT_DEFINITIONS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function


Given = Mapping[str, Literal]
Arguments = Mapping[str, ir.Expression]


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of one activation of a function: parameters in ``given``, names bound once, chosen settings."""

    function: Function
    given: Given = field(default_factory=dict)
    chosen: frozenset[Outcome] = frozenset()

    def outcome(self, test: ir.Expression, depth: int = 0) -> bool | None:
        """Whether a test holds; None if the constants do not determine it."""
        if depth > CONSTANT_DEFINITIONS:
            return None
        return decide(test, lambda part: self._truth(part, depth))

    def _truth(self, part: ir.Expression, depth: int) -> bool | None:
        known = self.of(part, depth) if not isinstance(part, ir.BooleanOperation) else None
        return bool(known.value) if known is not None else None

    def of(self, expression: ir.Expression, depth: int = 0) -> Literal | None:
        """The constant value of an expression."""
        if depth > CONSTANT_DEFINITIONS:
            return None
        match expression:
            case ir.Constant(value=value):
                return Literal.of(value)
            case ir.Name(id=name):
                return self._named(name, depth)
            case ir.NamedExpression(value=value):
                return self.of(value, depth + 1)
            case ir.Comparison(operands=(left, right), operators=(operator,)):
                return self._compared(left, operator, right, depth + 1)
            case ir.Conditional(test=test, body=body, orelse=orelse):
                outcome = self.outcome(test, depth + 1)
                return None if outcome is None else self.of(body if outcome else orelse, depth + 1)
            case ir.UnaryOperation() | ir.BooleanOperation() if is_truth_value(expression):
                outcome = self.outcome(expression, depth + 1)
                return None if outcome is None else Literal.of(outcome)
        return None

    def _named(self, name: str, depth: int) -> Literal | None:
        scope: Function | None = self.function
        while scope is not None and not scope.is_local(name):
            scope = scope.parent if scope.ir.kind != "module" else None
        if scope is not None and name in scope.written_inside:
            return None
        own = self if scope is self.function else scope.constants if scope is not None else None
        if own is not None and name in own.given:
            return own.given[name] if not own.function.rebinds(name) else None
        found = visible_definitions(self.function, name)
        if found is None or len(found[1]) != 1:
            return None
        own = self if found[0] is self.function else found[0].constants
        constant = own.of(found[1][0], depth + 1)
        return None if constant is None or _is_set_from_outside(found[0], name) else constant

    def _compared(self, left: ir.Expression, operator: str, right: ir.Expression, depth: int) -> Literal | None:
        first = self.of(left, depth)
        if first is None:
            return None
        if operator in ("in", "not in") and isinstance(right, ir.Collection):
            parts = [self.of(part, depth) for part in right.elements]
            if None in parts:
                return None
            return Literal.of(
                any(part is not None and part.value == first.value for part in parts) == (operator == "in")
            )
        second = self.of(right, depth)
        if second is None:
            return None
        if operator in ("is", "is not"):
            same = first == second if None in (first.value, second.value) or first.kind == "bool" else None
            return None if same is None else Literal.of(same == (operator == "is"))
        if operator in ("==", "!="):
            return Literal.of((first.value == second.value) == (operator == "=="))
        match first.value, second.value:
            case int() as a, int() as b if operator in COMPARISONS:
                return Literal.of(COMPARISONS[operator](a, b))
        return None

    def passed(self, arguments: Arguments) -> Given:
        """The constants among the arguments of a call in this function."""
        found = {name: self.of(argument) for name, argument in arguments.items()}
        return {name: constant for name, constant in found.items() if constant is not None}

    def decided(self, test: ir.Expression) -> bool | None:
        """The outcome of a test in this activation, if the call passes constants or settings are chosen at all."""
        return decide(test, self._known) if self.given or self.chosen else None

    def _known(self, part: ir.Expression) -> bool | None:
        settled = settles(self.function, self.chosen, part) if self.chosen else None
        return self._truth(part, 0) if self.given and settled is None else settled

    def results(self, node: ir.BooleanOperation) -> list[ir.Expression]:
        """The operands that may be the result, without those that are never returned or never reached."""
        found: list[ir.Expression] = []
        decisive = node.operator == "or"
        for operand in node.operands[:-1]:
            outcome = self.decided(operand)
            if outcome is None or outcome is decisive:
                found.append(operand)
            if outcome is decisive:
                return found
        return [*found, node.operands[-1]]


def arguments_of(function: Function, bound: BoundCall, target: Function) -> Arguments:
    """The expressions passed for the parameters of a function, constant defaults included.

    Empty where the callee may be a different function, or one with some arguments already bound.
    """
    if not _calls_itself(function, bound.call.func, target):
        return {}
    entity = bound.callee.entity
    owned = isinstance(entity, ClassReference) or (isinstance(entity, FunctionReference) and entity.bound)
    formal = target.ir.parameters[1:] if owned else target.ir.parameters
    given = {
        parameter.name: parameter.default
        for parameter in formal
        if isinstance(parameter.default, ir.Constant) and not bound.call.has_star
    }
    positional = [parameter for parameter in formal if parameter.kind in ("positional", "plain")]
    found: dict[str, ir.Expression] = dict(given)
    starred = False
    for index, argument in enumerate(bound.call.args):
        starred = starred or bool(argument.star)
        if argument.keyword is not None:
            found[argument.keyword] = argument.value
        elif not starred and index < len(positional):
            found[positional[index].name] = argument.value
    return found


def _is_set_from_outside(scope: Function, name: str) -> bool:
    """Whether a different file may assign to a global name of a module."""
    return scope.ir.kind == "module" and scope.project.mentions((f".{name} =", f".{name}="))


def _calls_itself(function: Function, called: ir.Expression, target: Function) -> bool:
    """Whether a call names the function, or the name under which it is imported."""
    path = ir.dotted(called) or (called.attr if isinstance(called, ir.Attribute) else "")
    if isinstance(called, ir.Name) and visible_definitions(function, called.id) is not None:
        return False
    owner = target.ir.name if target.ir.name != "__init__" else (target.ir.owner or "").rpartition(".")[2]
    if path.rpartition(".")[2] in (target.ir.name, owner):
        return True
    steps = [*function.ir.steps(), *function.module_model.body.ir.steps()]
    imported = (name for step in steps if isinstance(step, ir.Import) for name in step.names)
    return any(name.bound == path and name.target.rpartition(".")[2] == owner for name in imported)
