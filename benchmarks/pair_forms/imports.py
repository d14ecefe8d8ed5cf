"""Imports among the files of one program, for different places of these files."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from pair_forms import statements as of


def own_modules(paths: Iterable[str]) -> set[str]:
    """The modules and packages at the top of a program: the first parts of its imports of itself."""
    return {path.partition("/")[0].removesuffix(".py") for path in paths}


def imported(text: str) -> Iterator[str]:
    """The modules that a file imports, by the names in the import."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A file whose imports of the modules in ``names`` use their new names."""
    tree = ast.parse(text)
    changed = [_rename(node, names) for node in ast.walk(tree)]
    return of.text(tree.body) if any(changed) else text


def _rename(node: ast.AST, names: Mapping[str, str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        first, dot, rest = (node.module or "").partition(".")
        if node.level or first not in names:
            return False
        node.module = names[first] + dot + rest
        return True
    own = [alias for alias in node.names if alias.name in names] if isinstance(node, ast.Import) else []
    for alias in own:
        alias.asname = alias.asname or alias.name
        alias.name = names[alias.name]
    return bool(own)
