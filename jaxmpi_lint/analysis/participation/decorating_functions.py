"""The functions of the project that decorators run around the calls of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import ClassReference, FunctionReference

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_AROUND = ("__enter__", "__exit__", "__call__")
"""Methods of an object that decorates a function, which run with each of its calls."""


def functions_around(function: Function) -> list[Function] | None:
    """The decorators that are functions of the project with those defined in them, and the methods of those classes.

    None if they are not known yet.
    """
    project = function.project
    entities = project.decorators.entities(function)
    if entities is None:
        return None
    found: list[Function] = []
    for _, entity in entities:
        if isinstance(entity, ClassReference):
            model = project.class_model(entity)
            methods = [model.method(name) for name in _AROUND] if model is not None else []
            found += [one for method in methods if method and (one := project.function(*method.key)) is not None]
        elif isinstance(entity, FunctionReference) and (maker := project.function(*entity.key)) is not None:
            found += [maker, *maker.inner_functions()]
    return found
