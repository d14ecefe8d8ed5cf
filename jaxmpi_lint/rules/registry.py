"""Discovery of rules: the modules of this package, and plugins by their entry point."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from types import ModuleType

from jaxmpi_lint import rules
from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.rules.base import Rule

GROUP = "jaxmpi_lint.rules"
_CODE = re.compile(r"[A-Z]{2,}[0-9]{3,4}")


@cache
def load() -> list[type[Rule]]:
    """Every rule, sorted by code."""
    return merge([*_own(), *_of_plugins()])


def merge(classes: Iterable[type[Rule]]) -> list[type[Rule]]:
    """The classes sorted by code; two classes with the same code are an error."""
    by_code: dict[str, type[Rule]] = {}
    for rule in classes:
        other = by_code.setdefault(rule.code, rule)
        if other is not rule:
            raise UserError(
                f"rule {rule.code} is defined by both {other.__module__} and {rule.__module__}; uninstall one of them"
            )
    return [by_code[code] for code in sorted(by_code)]


def rules_of(module: ModuleType) -> list[type[Rule]]:
    """The rules that a module defines, without imported ones."""
    return [
        member
        for member in vars(module).values()
        if inspect.isclass(member)
        and issubclass(member, Rule)
        and member.__module__ == module.__name__
        and hasattr(member, "code")
    ]


def checked(rule: type[Rule], origin: str) -> type[Rule]:
    """A rule of a plugin, after a check that it has all required attributes."""
    for name in ("code", "name", "severity"):
        if not hasattr(rule, name):
            raise UserError(f"rule {rule.__name__} of {origin} has no `{name}`; the plugin must define it")
    if not _CODE.fullmatch(rule.code):
        raise UserError(f"rule {rule.__name__} of {origin}: code {rule.code!r} is not of the form ABC123")
    return rule


def _own() -> list[type[Rule]]:
    found: list[type[Rule]] = []
    for info in pkgutil.iter_modules(rules.__path__):
        found += rules_of(importlib.import_module(f"{rules.__name__}.{info.name}"))
    return found


def _of_plugins() -> list[type[Rule]]:
    found: list[type[Rule]] = []
    for point in metadata.entry_points(group=GROUP):
        origin = f"plugin {point.name} ({point.value})"
        try:
            target = point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            raise UserError(f"{origin} cannot be loaded: {reason}; repair or uninstall it") from error
        if isinstance(target, ModuleType):
            found += [checked(rule, origin) for rule in rules_of(target)]
        elif inspect.isclass(target) and issubclass(target, Rule):
            found.append(checked(target, origin))
        else:
            raise UserError(f"{origin} is neither a rule class nor a module with rules; repair or uninstall it")
    return found
