"""Duck typing of unannotated parameters: the only class of the project with all attributes used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import UNKNOWN, ClassReference, Instance, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ClassDefinition, Function, Program

_FEWEST = 2
"""The minimum number of names used on a parameter, one of them a communicator's."""


class Shapes:
    """The attributes of a project's classes."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._names: dict[tuple[str, str], frozenset[str]] | None = None

    def instance(self, function: Function, parameter: str, key: str) -> Value | None:
        """An object of the only class with all attributes used on a parameter, one of which is a communicator."""
        if not self._project.has_mpi_evidence:
            return None
        text = function.module.source(function.ir.span)
        if f"{parameter}." not in text:
            return None
        used = frozenset(re.findall(rf"(?<![\w.]){re.escape(parameter)}\.(\w+)", text))
        if len(used) < _FEWEST or not any(map(self._project.may_be_communicator, used)):
            return None
        found = [name for name, attributes in self._attributes().items() if used <= attributes]
        if len(found) != 1:
            return None
        return Value(Instance(*found[0], key), UNKNOWN, UNKNOWN, UNKNOWN)

    def attributes(self, reference: ClassReference) -> frozenset[str]:
        """The names of the methods and fields of a class, those of its bases included."""
        return self._attributes().get((reference.path, reference.qualname), frozenset())

    def _attributes(self) -> dict[tuple[str, str], frozenset[str]]:
        if self._names is None:
            self._names = {}
            for model in self._project.modules():
                for qualname in model.ir.classes:
                    own = model.class_model(qualname)
                    names = (name for one in own.linearization for name in _own_attributes(one))
                    self._names[model.ir.path, qualname] = frozenset(names)
        return self._names


def _own_attributes(model: ClassDefinition) -> Iterator[str]:
    """Methods, names of the class body, and fields that the methods assign."""
    functions = model.module_model.ir.functions
    yield from model.ir.methods
    for step in functions[model.ir.body].steps():
        if isinstance(step, ir.Assign):
            yield from (target.id for target in step.targets if isinstance(target, ir.Name))
    for qualname in model.ir.methods.values():
        method = functions[qualname]
        own = method.parameters[0].name if method.parameters else ""
        for step in method.steps():
            for target in step.targets if isinstance(step, ir.Assign) else ():
                for node in ir.walk(target):
                    if isinstance(node, ir.Attribute) and ir.dotted(node.value) == own:
                        yield node.attr
