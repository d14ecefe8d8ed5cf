"""Communicators created by a call: context, group, and parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, UNKNOWN, Communicator, Literal, Value
from jaxmpi_lint.library.model import Relation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment


def made_communicator(evaluator: ExpressionEvaluator, bound: BoundCall, env: Environment) -> Value:
    """The result of a constructor of communicators."""
    operation, parent, span = bound.known_operation, bound.communicator, bound.call.span
    context = f"{evaluator.module.path}@{span[0]}"
    label = f"the communicator created by {operation.method}"
    groups, ancestors = frozenset({context}), frozenset[str]()
    if operation.relation is Relation.OTHER:
        groups = frozenset()  # between two groups: roots and ranks differ in meaning on the two sides
    elif parent is not None:
        if operation.relation is Relation.ALIAS:
            return Value(parent, UNKNOWN, UNKNOWN, UNIFORM)
        if operation.relation is Relation.SAME or _keeps_everybody(evaluator, bound, env):
            groups, ancestors, label = parent.groups, parent.ancestors, f"a duplicate of {parent.label}"
        elif operation.relation is Relation.PART:
            ancestors = parent.rank_groups()
    return Value(Communicator(context, groups, ancestors, label, span), UNKNOWN, UNKNOWN, UNKNOWN)


def _keeps_everybody(evaluator: ExpressionEvaluator, bound: BoundCall, env: Environment) -> bool:
    """Whether a ``Split`` provably puts all processes into one sub-communicator, in their previous order.

    Not where a different call, or a test around it, may give other processes a different colour.
    """
    if bound.known_operation.method != "Split" or len(bound.call.args) > 1 or bound.call.has_star:
        return False
    if evaluator.module.text.count(".Split(") > 1 or evaluator.function.is_conditional(bound.call.span):
        return False
    colour = bound.argument("color")
    entity = evaluator.value(colour, env).entity if colour is not None else None
    return colour is None or (isinstance(entity, Literal) and entity.kind == "int")
