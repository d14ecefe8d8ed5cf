"""Lines of the program that compute with the rank: where ranks on one path may get different arguments from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Site

_RANK = re.compile(r"(?!(?:matrix|tensor|array|low|full)_)(?:\w+_|my|mpi)?rank$|process_index$", re.IGNORECASE)
_LONGEST = 20_000  # lines of a file that is read for this

_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


def computing(frames: Sequence[Site]) -> int | None:
    """The number of the innermost of these frames whose line computes with the rank; None if none does."""
    return next((number for number, frame in enumerate(frames) if computes_with_rank(frame)), None)


def computes_with_rank(frame: Site) -> bool:
    """Whether the statement in this line names the rank, or a variable that is computed with it."""
    tree = _tree(frame.file) if frame.line else None
    if tree is None:
        return False
    scopes = list(_around(tree, frame.line))
    computed = _computed(scopes)
    return any(_names_rank(part, computed) for part in _parts(scopes[-1], frame.line))


@lru_cache(maxsize=16)
def _tree(file: str) -> ast.Module | None:
    lines = excerpt.source(file)
    try:
        return ast.parse("\n".join(lines)) if 0 < len(lines) < _LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _around(tree: ast.Module, line: int) -> Iterator[_Scope]:
    """The module and the functions around a line, the outermost first."""
    yield tree
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(body=[first, *_]) | ast.AsyncFunctionDef(body=[first, *_]):
                if first.lineno <= line <= (node.end_lineno or 0):
                    yield node


def _statements(scope: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a scope, those of functions inside it left out."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.expr | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _statements(node)


def _parts(scope: _Scope, line: int) -> list[ast.AST]:
    """The expressions of the innermost statement in a line; of a compound statement those of its header."""
    found = [one for one in _statements(scope) if one.lineno <= line <= (one.end_lineno or 0)]
    return [node for node in ast.iter_child_nodes(found[-1]) if not isinstance(node, ast.stmt)] if found else []


def _computed(scopes: Sequence[_Scope]) -> frozenset[str]:
    """The variables of these scopes that are assigned something computed with the rank."""
    assigned = [pair for scope in scopes for statement in _statements(scope) for pair in _assigned(statement)]
    known: frozenset[str] = frozenset()
    while True:
        found = known.union(name for name, value in assigned if _names_rank(value, known))
        if found == known:
            return known
        known = found


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _bound(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
            yield from _bound(target, value)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for one, other in zip(targets, values, strict=True):
                yield from _bound(one, other)
        case _:
            yield from ((node.id, value) for node in ast.walk(target) if isinstance(node, ast.Name))


def _names_rank(expression: ast.AST, computed: frozenset[str]) -> bool:
    names = (_name(node) for node in ast.walk(expression))
    return any(name in computed or _RANK.match(name) for name in names if name)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
