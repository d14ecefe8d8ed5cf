"""Context managers that are neither objects of the project nor of a library's model."""

from __future__ import annotations

from jaxmpi_lint.interpreter.models import Modelled
from jaxmpi_lint.interpreter.values import GeneratorValue, Value


class Managed(Modelled):
    """The object that a function decorated as context manager returns."""

    __slots__ = ("generator",)
    type_name = "context manager"

    def __init__(self, generator: GeneratorValue) -> None:
        self.generator = generator

    def freeze(self, _depth: int) -> object:
        """The function."""
        return "managed", self.generator.freeze(_depth)


class Suppressing(Modelled):
    """`contextlib.suppress`."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: tuple[Value, ...]) -> None:
        self.kinds = kinds
