"""A program of one file as two: functions and classes, with the values that they read, are in a second module.

The executed statements stay in the first file, which imports the names it needs from the second.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from pair_forms import statements as of

MAIN, PARTS = "main.py", "parts.py"


def in_two_modules(texts: Mapping[str, str]) -> dict[str, str] | None:
    """The program in two files; None if it has several, or if it cannot be divided.

    It is not divided if it has no definitions, if both modules would have to bind the same names, or if the order of
    statements would change.
    """
    body = ast.parse(texts[MAIN]).body
    definitions = [statement for statement in body if isinstance(statement, of.DEFINITIONS)]
    if len(texts) > 1 or not definitions or _shares_names(definitions):
        return None
    working = [statement for statement in body if of.is_working(statement)]
    kept = of.needed(working, of.read_by(definitions))
    staying = [statement for statement in working if statement not in kept]
    parts = [*definitions, *kept]
    if of.bound_by(staying) & (of.bound_by(parts) | of.read_by(parts)) or _reorders(kept, staying, working):
        return None
    imported = sorted(of.bound_by(parts) & of.read_by(staying))
    link = ast.parse(f"from parts import {', '.join(imported)}").body if imported else ast.parse("import parts").body
    heading = [statement for statement in body if not of.is_working(statement) and statement not in definitions]
    return {
        MAIN: of.text([*heading, *link, *staying]),
        PARTS: of.text([statement for statement in body if statement not in staying]),
    }


def _shares_names(definitions: Sequence[ast.stmt]) -> bool:
    """Whether functions bind names of their module, which a module that imported them would not see."""
    return any(isinstance(node, ast.Global) for statement in definitions for node in ast.walk(statement))


def _reorders(kept: Sequence[ast.stmt], staying: Sequence[ast.stmt], working: Sequence[ast.stmt]) -> bool:
    return any(of.follows(statement, staying, working) for statement in kept)
