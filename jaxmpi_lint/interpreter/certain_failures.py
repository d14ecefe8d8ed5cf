"""Failures that no missing model can explain: a name that the file never binds, and a call of plain data."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from jaxmpi_lint.interpreter.raised import ProgramError, Raised, fail
from jaxmpi_lint.interpreter.values import ModuleValue, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir

_OF_OTHERS = frozenset(
    """_ apply basestring buffer cmp coerce display execfile file get_ipython intern long profile raw_input reduce
    reload reveal_type unichr unicode xrange In Out""".split()
)
"""Names that Python 2, IPython, profilers and gettext define."""

_BINDS_UNSEEN = re.compile(
    r"\b(?:exec|execfile|globals|locals|vars|setattr|runpy|builtins|snakemake|__dict__|__builtins__)\b"
)
"""What may bind names that no statement of the file shows."""

_DATA = (bool, int, float, complex, str, bytes, list, tuple, dict)


def unbound_name(name: str, module: ModuleValue) -> ProgramError:
    """The failure of a global name that is not bound; certain if nothing in the file can bind it."""
    error = fail("NameError", name)
    if name not in _OF_OTHERS and not _may_be_bound(name, module.ir):
        error.value.fields["*explicit"] = True
    return error


def uncallable(function: Value) -> ProgramError | None:
    """The failure of a call of plain data; None for what may be callable."""
    if not isinstance(function, _DATA):
        return None
    raised = Raised("TypeError")
    raised.fields["*explicit"] = True
    return ProgramError(raised)


def _may_be_bound(name: str, module: ir.Module) -> bool:
    """Whether a statement of a file binds a name, or the names of the file may come from elsewhere."""
    if module.looks_up_names or module.path.endswith(".ipynb") or _BINDS_UNSEEN.search(module.text):
        return True
    bound = _bound_names(module.text)
    return bound is None or name in bound or "*" in bound


@lru_cache(maxsize=16)
def _bound_names(text: str) -> frozenset[str] | None:
    """All names that the statements of a file bind, in any scope; None for a file that Python does not read."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return frozenset(name for node in ast.walk(tree) for name in _bound_by(node))


def _bound_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.arg(arg=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [(other or name).partition(".")[0]]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return list(names)
        case (
            ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name)
        ):
            return [name]
        case ast.MatchMapping(rest=str() as name):
            return [name]
    return []
