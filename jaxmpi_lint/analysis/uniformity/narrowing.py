"""Narrowing: facts about names that follow from the outcome of a test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, UNKNOWN, Communicator, Literal, Named, RankOf, SizeOf, Value
from jaxmpi_lint.analysis.uniformity.consensus_tests import agreed
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment


def narrowed(evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment) -> Environment:
    """The environment on one side of a branch.

    Without a communicator, or with a single process, ranks do not diverge. Values on which all processes agree after a
    collective predicate are uniform.
    """
    test, truth = ir.strip_not(test, truth)
    if isinstance(test, ir.BooleanOperation):
        if (test.operator == "and") == truth:
            for operand in test.operands:
                env = narrowed(evaluator, operand, truth, env)
        return env
    alone = single_process(evaluator, test, truth, env)
    if alone is None:
        return _on_one_rank(evaluator, test, truth, agreed(evaluator, test, truth, env))
    return {name: _of_one_process(_without_ranks(value, alone)) for name, value in env.items()}


def _on_one_rank(evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment) -> Environment:
    """The values where one rank alone comes: whether one is None does not differ there."""
    single = _selected_rank(evaluator, test, truth, env)
    if not single:
        return env
    told = {
        name: replace(value, noneness=UNIFORM)
        for name, value in env.items()
        if value.noneness.level is Level.RANK and value.noneness.groups == single
    }
    return {**env, **told} if told else env


def _selected_rank(
    evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment
) -> frozenset[str]:
    """The groups of a rank that is equal to a number with this outcome of a test."""
    if not isinstance(test, ir.Comparison) or test.operators != ("==" if truth else "!=",):
        return frozenset()
    values = [evaluator.value(operand, env) for operand in test.operands]
    ranks = [value.entity for value in values if isinstance(value.entity, RankOf)]
    alike = [value for value in values if not value.content.level.diverges]
    return ranks[0].communicator.groups if len(ranks) == len(alike) == 1 else frozenset()


def single_process(
    evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment
) -> frozenset[str] | None:
    """The groups with at most one process if the test has this outcome."""
    if not isinstance(test, ir.Comparison):
        entity = evaluator.value(test, env).entity if isinstance(test, (ir.Name, ir.Attribute)) else None
        return entity.groups if isinstance(entity, Communicator) and not truth else None
    if len(test.operators) != 1:
        return None
    operator = test.operators[0]
    right = evaluator.value(test.operands[1], env).entity
    if not isinstance(right, Literal):
        return None
    left = evaluator.value(test.operands[0], env).entity
    if isinstance(left, Communicator) and right.value is None:
        return left.groups if (operator in ("is", "==")) == truth else None
    if isinstance(left, SizeOf):
        single = (operator, right.value, truth) in _SINGLE
        return left.communicator.groups if single else None
    return None


def of_several_processes(
    evaluator: ExpressionEvaluator, test: ir.BooleanOperation, joined: Value, env: Environment
) -> Value:
    """The value of ``size == 1 and rank == 0``: false on all ranks where there are several, whatever the rank is."""
    if not joined.content.level.diverges:
        return joined
    truth = test.operator == "and"
    for operand in test.operands:
        alone = single_process(evaluator, *ir.strip_not(operand, truth), env)
        if alone is not None:
            joined = _of_one_process(_without_ranks(joined, alone))
    return joined


def leaves_one(
    evaluator: ExpressionEvaluator,
    test: ir.Expression,
    truth: bool,
    env: Environment,
    groups: frozenset[str] | None = None,
) -> bool:
    """Whether the outcome of a test implies no MPI at all, or at most one process (in one of ``groups``)."""
    test, truth = ir.strip_not(test, truth)
    if isinstance(test, ir.BooleanOperation):
        said = (leaves_one(evaluator, operand, truth, env, groups) for operand in test.operands)
        return any(said) if (test.operator == "and") == truth else all(said)
    match test:
        case ir.Comparison(operands=(tested, ir.Constant(value=None)), operators=("is" | "is not" as operator,)):
            if _is_mpi(evaluator, tested, env):
                return (operator == "is") == truth
        case ir.Name() if _is_mpi(evaluator, test, env):
            return not truth
    alone = single_process(evaluator, test, truth, env)
    return alone is not None and (groups is None or bool(alone & groups))


def is_single_rank(
    evaluator: ExpressionEvaluator, test: ir.Expression, truth: bool, env: Environment, groups: frozenset[str]
) -> bool:
    """Whether one rank of the groups has this outcome: the rank is compared with a number that does not differ."""
    test, truth = ir.strip_not(test, truth)
    if isinstance(test, ir.BooleanOperation):
        parts = (is_single_rank(evaluator, operand, truth, env, groups) for operand in test.operands)
        return (test.operator == "and") == truth and any(parts)
    if not isinstance(test, ir.Comparison) or test.operators not in (("==",), ("!=",)):
        return False
    if (test.operators[0] == "==") != truth:
        return False
    ranks = [operand for operand in test.operands if _is_rank(evaluator, operand, env, groups)]
    alike = [operand for operand in test.operands if not evaluator.value(operand, env).content.level.diverges]
    return len(ranks) == len(alike) == 1


def _is_rank(
    evaluator: ExpressionEvaluator, expression: ir.Expression, env: Environment, groups: frozenset[str]
) -> bool:
    """Whether a value is the rank, or a number where there is no MPI."""
    value = evaluator.value(expression, env)
    if isinstance(value.entity, RankOf):
        return value.entity.communicator.groups == groups
    if value.content.level is not Level.RANK or value.content.groups != groups or not isinstance(expression, ir.Name):
        return False
    found = visible_definitions(evaluator.function, expression.id)
    scope, values = found if found is not None else (evaluator.function, [])
    entities = [scope.value(one, scope.flow.exit).entity for one in values]
    return bool(entities) and all(isinstance(entity, (RankOf, Literal)) for entity in entities)


def _is_mpi(evaluator: ExpressionEvaluator, expression: ir.Expression, env: Environment) -> bool:
    entity = evaluator.value(expression, env).entity
    return ir.dotted(expression) == "MPI" or (isinstance(entity, Named) and entity.dotted == "mpi4py.MPI")


_SINGLE = frozenset(
    {
        ("==", 1, True),
        ("<=", 1, True),
        ("<", 2, True),
        (">", 1, False),
        ("!=", 1, False),
        (">=", 2, False),
    }
)


def _of_one_process(value: Value) -> Value:
    """Data of one process does not differ where there is one only; it may do so if the communicator is not all."""
    return value.of_content(UNKNOWN) if value.content.level is Level.LOCAL else value


def _without_ranks(value: Value, alone: frozenset[str]) -> Value:
    if value.content.level is Level.RANK and value.content.groups & alone:
        return replace(
            value, content=UNIFORM, noneness=UNIFORM if value.noneness.level is Level.RANK else value.noneness
        )
    return value
