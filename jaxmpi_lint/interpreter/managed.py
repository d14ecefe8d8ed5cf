"""Context managers that are neither objects of the project nor of a library's model."""

from __future__ import annotations

from collections.abc import Callable

from jaxmpi_lint.interpreter.models import Arguments, Modelled
from jaxmpi_lint.interpreter.symbols import freeze
from jaxmpi_lint.interpreter.values import GeneratorValue, Instance, Running, Value


class Managed(Modelled):
    """The object that a function decorated as context manager returns; ``again`` makes the same call once more."""

    __slots__ = ("again", "generator")
    type_name = "context manager"

    def __init__(self, generator: GeneratorValue, again: Callable[[], Running] | None = None) -> None:
        self.generator = generator
        self.again = again

    def freeze(self, _depth: int) -> object:
        """The function."""
        return "managed", self.generator.freeze(_depth)


class ManagedFunction(Modelled):
    """A function whose calls are blocks of a context manager, which decorates it."""

    __slots__ = ("function", "manager")
    type_name = "managed function"
    is_function = True

    def __init__(self, function: Value, manager: Managed | Instance) -> None:
        self.function = function
        self.manager = manager

    def freeze(self, depth: int) -> object:
        """The function."""
        return "managed function", freeze(self.function, depth)


class Suppressing(Modelled):
    """`contextlib.suppress`."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: tuple[Value, ...]) -> None:
        self.kinds = kinds


class Stack(Modelled):
    """`contextlib.ExitStack`: what was entered, and what is to be called at the end."""

    __slots__ = ("entered",)
    type_name = "exit stack"

    def __init__(self) -> None:
        self.entered: list[tuple[Value, Arguments | None]] = []

    def freeze(self, _depth: int) -> object:
        """How much was entered."""
        return "exit stack", len(self.entered)
