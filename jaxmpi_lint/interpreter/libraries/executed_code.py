"""`globals`, `locals` and `exec`: names by their texts, and code that is made while the program runs."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import namespaces, open_tables
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_DATA = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, Array, type(None))


def _globals(rank: Rank, arguments: Arguments) -> Value:
    return namespaces.names(rank, rank.frames[-1].scope.module)


def _locals(rank: Rank, arguments: Arguments) -> Value:
    return namespaces.local(rank, rank.frames[-1])


def _execute(rank: Rank, arguments: Arguments) -> Value:
    """Set the names that simple assignments bind; code that is not known may change all data of its dict."""
    text, given = arguments.get(0), arguments.get(2, "locals", arguments.get(1, "globals"))
    if isinstance(given, Symbol):
        return None
    table = namespaces.local(rank, rank.frames[-1]) if given is None else given
    if not isinstance(table, dict):
        raise Cut("code that is made while the program runs")
    if isinstance(text, str):
        table.update(_bound(rank, text, {**rank.frames[-1].scope.module.scope.names, **table}))
    elif given is None:
        table.update({name: _changed(rank, name, one, text) for name, one in table.items() if isinstance(one, _DATA)})
    else:
        open_tables.update(rank, table, rank.symbol("executed", text))
    return None


def _changed(rank: Rank, name: str, value: Value, text: Value) -> Value:
    """A name of the module after code that is not known; those of Python itself are kept."""
    return value if name.startswith("__") else rank.symbol("executed", name, value, text)


def _bound(rank: Rank, text: str, names: dict[str, Value]) -> dict[str, Value]:
    """What a text of assignments binds."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the code of the user, such as unknown escapes
            statements = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Cut("code that is made while the program runs") from None
    found: dict[str, Value] = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = _value(rank, value, {**names, **found})
            case _:
                raise Cut("code that is made while the program runs")
    return found


def _value(rank: Rank, node: ast.expr, names: dict[str, Value]) -> Value:
    """The value of a literal; a symbol of the names in it for another expression without calls."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        if any(isinstance(one, (ast.Call, ast.NamedExpr, ast.Await)) for one in ast.walk(node)):
            raise Cut("code that is made while the program runs") from None
        operands = [names.get(one.id) for one in ast.walk(node) if isinstance(one, ast.Name)]
        return rank.symbol("executed", ast.unparse(node), *operands)


FUNCTIONS: dict[str, Any] = {"builtins.globals": _globals, "builtins.locals": _locals, "builtins.exec": _execute}
