"""Library form: functions and classes only, nothing that starts them, and the communicator is a parameter.

The statements that the module runs at import become a function ``run`` with the communicator as its parameter, which is
never called. The values that functions of the module read stay outside, if they do not depend on the communicator. A
program has no library form

- if it has no function and no class: it is a script,
- if it has no communicator of mpi4py,
- if its functions, classes or other modules take ``COMM_WORLD``, or a value computed from it, from a module: then its
  communicator is no parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from pair_forms import statements as of

MAIN = "main.py"


def library(texts: Mapping[str, str]) -> dict[str, str] | None:
    """The program as a library; None if it has no such form."""
    if "COMM_WORLD" not in texts[MAIN] or any("COMM_WORLD" in text for name, text in texts.items() if name != MAIN):
        return None
    if not any(map(_defines, texts.values())):
        return None
    body = of.without_guard(ast.parse(texts[MAIN]).body)
    resting = [statement for statement in body if not of.is_working(statement)]
    working = [statement for statement in body if of.is_working(statement)]
    kept = of.needed([item for item in working if not _takes_world(item)], of.read_by(resting))
    moved = [statement for statement in working if statement not in kept]
    if any(map(_takes_world, (*resting, *kept))) or of.read_by((*resting, *kept)) & of.bound_by(moved):
        return None
    staying = [statement for statement in body if statement not in moved]
    return {**texts, MAIN: of.text([*staying, _run(moved, of.bound_by(body))])}


def _defines(text: str) -> bool:
    return any(isinstance(statement, of.DEFINITIONS) for statement in ast.parse(text).body)


def _takes_world(node: ast.AST) -> bool:
    return any(map(_is_world, ast.walk(node)))


def _is_world(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "COMM_WORLD"


def _run(moved: Sequence[ast.stmt], taken: frozenset[str]) -> ast.stmt:
    """The function with the statements that ran at import."""
    aliases = [statement for statement in moved if _is_alias(statement)]
    parameter = ast.unparse(aliases[0].targets[0]) if aliases else of.fresh("comm", taken)
    given = _Given(parameter)
    body = [given.visit(statement) for statement in moved if statement not in aliases[:1]]
    return of.function(of.fresh("run", taken), [parameter], body)


def _is_alias(statement: ast.stmt) -> TypeGuard[ast.Assign]:
    """``comm = MPI.COMM_WORLD``."""
    return (
        isinstance(statement, ast.Assign)
        and _is_world(statement.value)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    )


class _Given(ast.NodeTransformer):
    """Replaces ``MPI.COMM_WORLD`` by the parameter."""

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if _is_world(node):
            return ast.Name(self.parameter, ast.Load())
        return self.generic_visit(node)
