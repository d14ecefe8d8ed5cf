"""Functions with custom derivatives, which JAX uses instead of differentiating the body."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.library.model import Tracing
from jaxmpi_lint.library.python.names import PARTIAL

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_PLAIN = frozenset({"cache", "classmethod", "lru_cache", "staticmethod", "typechecked", "wraps"})
"""Decorators that leave the derivative unchanged."""
_GIVES_RULES = re.compile(r"custom_(?:vjp|jvp|gradient)\s*\(\s*(?:\w+\s*=\s*)?$")


def has_rules(target: Function) -> bool:
    """Whether a function may have a custom derivative, from its own definition or an unknown decorator."""
    source = target.module.source
    if any(not _is_known(target, decorator) for decorator in target.ir.decorators):
        return True
    if target.ir.kind == "lambda":
        return bool(_GIVES_RULES.search(target.module.text[: target.ir.span[0]]))
    name = re.escape(target.ir.name)
    pattern = rf"custom_(?:vjp|jvp|gradient)\s*\(\s*(?:self\.)?{name}\b|\b{name}\.def(?:vjp|jvps?)\b"
    return bool(re.search(pattern, target.module.text)) or any(
        "custom_" in source(d.span) for d in target.ir.decorators
    )


def _is_known(target: Function, decorator: ir.Expression) -> bool:
    """Whether a decorator is a transform of JAX, or changes nothing."""
    body = target.module_model.body
    env = dict(body.flow.exit)
    if isinstance(decorator, ir.Call):
        partial = body.value(decorator.func, env).entity == Named(PARTIAL) and decorator.args
        decorator = decorator.args[0].value if partial else decorator.func
    entity = body.value(decorator, env).entity
    if not isinstance(entity, Named):
        return False
    if entity.dotted.rpartition(".")[2] in _PLAIN:
        return True
    transform = body.project.catalogue.transform(entity.dotted)
    return transform is not None and transform.tracing is not Tracing.ESCAPE
