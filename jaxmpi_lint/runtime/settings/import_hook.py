"""A hook on the import of JAX's modules, called before the program uses them.

This module imports nothing at its top, because every process pays for it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

DISTRIBUTED = "jax._src.distributed"
MODULES = (DISTRIBUTED, "jax._src.array", "jax", "jax.experimental.multihost_utils")


class Finder:
    """A meta path finder that removes itself once all awaited modules of JAX have been requested."""

    def __init__(self, arrived: Callable[[ModuleType], None]) -> None:
        self.arrived = arrived
        self.awaited = set(MODULES)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """The spec from the other finders, whose loader calls `arrived` after it has executed an awaited module."""
        if name not in self.awaited:
            return None
        self.awaited.discard(name)
        if not self.awaited and self in sys.meta_path:
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
    """Call `arrived` with each awaited module as soon as it has been executed."""
    sys.meta_path.insert(0, Finder(arrived))
