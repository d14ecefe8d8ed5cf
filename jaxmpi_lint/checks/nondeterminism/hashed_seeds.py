"""Seeds of random numbers that are computed with `hash()` of a text: each process draws different numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.analysis.nondeterminism.hash_values import HashSearch
from jaxmpi_lint.checks.nondeterminism.drawn_orders import nodes_read
from jaxmpi_lint.checks.nondeterminism.hashed_shares import HashedShare
from jaxmpi_lint.findings.model import Step
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.random_seeds import SEEDED_BY

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class HashedSeed(HashedShare):
    """A hash that is the seed of random numbers, or a part of it."""

    kind = "seed"


def hashed_seeds(function: Function) -> Iterator[HashedSeed]:
    """The hashes that become seeds in a function of a program with several processes.

    A seed with the rank or the host in it is meant to differ.
    """
    for node, env in nodes_read(function):
        seed = _seed(function, node)
        if seed is None or _is_of_one_rank(function, seed, env):
            continue
        for source in HashSearch().sources(function, seed, env):
            hashed = source.call.args[0].value
            if source.builtin != "hash" or _is_of_one_rank(source.function, hashed, source.function.flow.exit):
                continue
            if any(module.with_operations for module in function.project.modules()):
                yield HashedSeed(source, Step(function.module, node.span, "the seed of random numbers"))


def _seed(function: Function, node: ir.Expression) -> ir.Expression | None:
    """The argument of a call by which it seeds a generator or derives a key."""
    bound = function.bound(node) if isinstance(node, ir.Call) else None
    entity = bound.callee.entity if bound is not None else None
    position = SEEDED_BY.get(entity.dotted) if isinstance(entity, Named) else None
    plain = [one.value for one in node.args if not (one.keyword or one.star)] if isinstance(node, ir.Call) else []
    return plain[position] if position is not None and position < len(plain) else None


def _is_of_one_rank(function: Function, expression: ir.Expression, env: Environment) -> bool:
    """Whether a part of an expression, outside of the hash, is the rank or belongs to one process."""
    parts = (node for node in ir.walk(expression) if isinstance(node, (ir.Name, ir.Attribute, ir.Call)))
    return any(function.value(part, env).content.level is Level.RANK for part in parts if not _is_hash(function, part))


def _is_hash(function: Function, node: ir.Expression) -> bool:
    """Whether an expression is a hash, which belongs to one process by itself."""
    return isinstance(node, ir.Call) and next(HashSearch().sources(function, node, {}), None) is not None
