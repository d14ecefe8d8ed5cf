"""Overriding methods: their parameters are prescribed, whether used or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import Named

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function


def overrides(function: Function) -> bool:
    """Whether a method overrides one of a base class, or may do so because a base class is unknown."""
    owner = function.module_model.ir.classes.get(function.ir.owner or "")
    if owner is None:
        return False
    model = function.module_model.class_model(owner.qualname)
    known = [base for base in model.bases if base != Named("object")]
    if len(model.bases) < len(owner.bases) or any(isinstance(base, Named) for base in known):
        return True
    return any(function.ir.name in base.ir.methods for base in model.linearization if base is not model)


def is_overridden(function: Function) -> bool:
    """Whether a class of the project that is derived from that of a method has a method of this name."""
    owner = function.ir.owner
    if owner not in function.module.classes or owner is None:
        return False
    model = function.module_model.class_model(owner)
    return any(
        model in derived.linearization
        for module in function.project.modules()
        for name, found in module.ir.classes.items()
        if function.ir.name in found.methods and (module.ir.path, name) != (function.module.path, owner)
        for derived in (module.class_model(name),)
    )
