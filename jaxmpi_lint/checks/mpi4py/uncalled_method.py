"""Methods of communicators, and functions of MPI and JAX, that a program names without calling them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Named
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.plain_calls import PICKLED, WITHOUT_ARGUMENTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_TRUE = "a function is always true"


@dataclass(frozen=True, slots=True)
class UncalledMethod:
    """A method or function whose name stands where its result, or its effect, was meant."""

    function: Function
    named: ir.Attribute
    effect: str

    @property
    def place(self) -> Place:
        """The name."""
        return Place(self.function.module, self.named.span)

    @property
    def confidence(self) -> Confidence:
        """High: a function is not equal to a number, is true, and does nothing unless it is called."""
        return Confidence.HIGH

    @property
    def text(self) -> str:
        """The name, as it is written."""
        return self.function.module.source(self.named.span)

    def steps(self) -> Iterator[Step]:
        """Nothing but the place."""
        return iter(())


def called(found: UncalledMethod) -> Repair:
    """The fix: a call without arguments, which some methods need."""
    end = found.named.span[1]
    return Repair(Applicability.UNSAFE, "call it", (((end, end), "()"),))


def uncalled_methods(function: Function) -> Iterator[UncalledMethod]:
    """The names of a function that stand alone, are compared, computed with, or tested."""
    seen: set[ir.Span] = set()
    for expression, env, alone in _expressions(function):
        for node, effect in _suspicious(expression, alone):
            if isinstance(node, ir.Attribute) and node.span not in seen and _is_called(function, node, env):
                seen.add(node.span)
                yield UncalledMethod(function, node, effect)


def _expressions(function: Function) -> Iterator[tuple[ir.Expression, Environment, str]]:
    """All that a function evaluates, with what a name does that stands there alone, empty where it may be of use."""
    for _, step, env in function.steps():
        for expression in expressions_read(step):
            is_idle = isinstance(step, ir.Discard) and not _is_tried(function, step.span)
            yield expression, env, "this statement does nothing" if is_idle else ""
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            for expression in terminator_expressions(block):
                is_test = isinstance(block.terminator, ir.Branch)
                yield expression, function.flow.environment_before(block.index, None), _TRUE if is_test else ""


def _is_tried(function: Function, span: ir.Span) -> bool:
    """Whether a statement only looks whether the library has the method."""
    for step in function.ir.steps():
        if isinstance(step, ir.Try) and step.body[0] <= span[0] and span[1] <= step.body[1]:
            kinds = [one.kind for one in step.handlers if one.kind is not None]
            if any("AttributeError" in function.module.source(kind.span) for kind in kinds) or step.body == span:
                return True
    return False


def _suspicious(expression: ir.Expression, alone: str) -> Iterator[tuple[ir.Expression, str]]:
    """The places in an expression where a function is of no use, with what its name does there.

    ``alone``: what the name does if it is the whole expression, empty if it may be of use.
    """
    if alone:
        yield expression, alone
    for node in ir.walk(expression):
        match node:
            case ir.Comparison(operands=operands, operators=operators) if _COMPARING.issuperset(operators):
                if sum(isinstance(one, ir.Constant) for one in operands) == len(operands) - 1:
                    yield from ((one, "a function is compared instead of its result") for one in operands)
            case ir.BinaryOperation(left=left, right=right):
                yield from ((one, "a function is computed with instead of its result") for one in (left, right))
            case ir.UnaryOperation(operator="not", operand=operand):
                yield operand, _TRUE
            case ir.BooleanOperation(operands=operands):
                yield from ((one, _TRUE) for one in operands[:-1])


def _is_called(function: Function, node: ir.Attribute, env: Environment) -> bool:
    """Whether a name is that of something that programs call: a method of a communicator, or a library function."""
    entity = function.value(node, env).entity
    if isinstance(entity, Named) and function.project.canonical(entity.dotted) in WITHOUT_ARGUMENTS:
        return True
    if not isinstance(function.value(node.value, env).entity, Communicator):
        return False
    return node.attr[:1].isupper() or node.attr in PICKLED
