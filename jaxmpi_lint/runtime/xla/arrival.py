"""Noticing that JAX comes into the process, before it is used; imports nothing, because every process pays for it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

MODULE = "jax._src.distributed"


class Finder:
    """Stands before the finders of modules until JAX's part for many processes is asked for, then steps aside."""

    def __init__(self, arrived: Callable[[ModuleType], None]) -> None:
        self.arrived = arrived

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The others' answer, for that one module with a word to us behind its execution."""
        if name != MODULE:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            self.arrived(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def expect(arrived: Callable[[ModuleType], None]) -> None:
    """Call `arrived` with the module as soon as there is one."""
    sys.meta_path.insert(0, Finder(arrived))
