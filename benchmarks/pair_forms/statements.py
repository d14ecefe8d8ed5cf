"""Names that the statements of a module bind and read, and statements with effects at import."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the module that a statement binds, and those that it reads, now or when its functions run."""

    bound: frozenset[str]
    read: frozenset[str]


def names(statement: ast.stmt) -> Names:
    """The names of a statement at module level; parameters and local variables are none of the module."""
    table = symtable.symtable(ast.unparse(statement), "statement", "exec")
    bound = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    read = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
    for inner in _inner(table):
        read |= {symbol.get_name() for symbol in inner.get_symbols() if symbol.is_global()}
    return Names(frozenset(bound), frozenset(read))


def _inner(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inner(child)


def bound_by(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """All names that some statements bind."""
    return frozenset[str]().union(*(names(statement).bound for statement in statements))


def read_by(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """All names of the module that some statements read."""
    return frozenset[str]().union(*(names(statement).read for statement in statements))


def is_import(statement: ast.stmt) -> bool:
    """An import, or a ``try`` that holds one (of a library that may be absent)."""
    if isinstance(statement, ast.Try):
        return any(map(is_import, statement.body))
    return isinstance(statement, ast.Import | ast.ImportFrom)


def is_docstring(statement: ast.stmt) -> bool:
    """A string as a statement."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def is_working(statement: ast.stmt) -> bool:
    """Whether a statement is neither an import nor a definition nor a string: it computes something."""
    return not (is_import(statement) or is_docstring(statement) or isinstance(statement, DEFINITIONS))


def is_guard(statement: ast.stmt) -> bool:
    """Whether this is ``if __name__ == "__main__":``."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "__name__ == '__main__'"


def without_guard(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements, with those below the guard in its place."""
    found: list[ast.stmt] = []
    for statement in statements:
        found += statement.body if isinstance(statement, ast.If) and is_guard(statement) else [statement]
    return found


def guard(statement: ast.stmt) -> ast.stmt:
    """The statement below ``if __name__ == "__main__":``."""
    (made,) = ast.parse("if __name__ == '__main__':\n    pass").body
    assert isinstance(made, ast.If)
    made.body = [statement]
    return made


def needed(working: Sequence[ast.stmt], read: frozenset[str]) -> list[ast.stmt]:
    """The assignments that bind the names read, and those that they read in turn."""
    found: list[ast.stmt] = []
    for statement in reversed(working):
        about = names(statement)
        if isinstance(statement, ast.Assign) and about.bound & read:
            found.append(statement)
            read |= about.read
    return found


def follows(statement: ast.stmt, others: Sequence[ast.stmt], working: Sequence[ast.stmt]) -> bool:
    """Whether a statement of ``working`` comes after one of ``others``: it cannot safely run before them."""
    return any(other in working[: working.index(statement)] for other in others)


def unbound(text: str) -> set[str]:
    """Names that a file reads and that neither it nor Python binds."""
    body = ast.parse(text).body
    return set(read_by(body) - bound_by(body)) - set(dir(builtins)) - {"__file__", "__name__"}


def function(name: str, parameters: Sequence[str], body: Sequence[ast.stmt]) -> ast.stmt:
    """A function of some statements."""
    (made,) = ast.parse(f"def {name}({', '.join(parameters)}):\n    pass").body
    assert isinstance(made, ast.FunctionDef)
    made.body = list(body)
    return made


def fresh(wish: str, taken: Iterable[str]) -> str:
    """The requested name, with underscores if it is used already."""
    used = set(taken)
    while wish in used:
        wish += "_"
    return wish


def text(statements: Sequence[ast.stmt]) -> str:
    """The program of some statements."""
    module = ast.Module(list(statements), [])
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"
