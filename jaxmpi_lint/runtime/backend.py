"""`backend=core`: a program that imports mpi4jax gets our own collectives, whether mpi4jax is installed or not."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from jaxmpi_lint.runtime.environment import say

NAME = "mpi4jax"
VERSION = "0.9.1"  # whose functions ours are


class Stand(MetaPathFinder, Loader):
    """Finds and makes the module that stands for mpi4jax."""

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """Ours for that one name."""
        return spec_from_loader(name, self) if name == NAME else None

    def exec_module(self, module: ModuleType) -> None:
        """Give it the names that mpi4jax has."""
        from jaxmpi_lint.runtime import collectives

        say(f"mpi4jax is the collectives core of jaxmpi-lint, with the functions of mpi4jax {VERSION} (backend=core)")
        names = [name for name in collectives.__all__ if name != "Unavailable"]
        vars(module).update({name: getattr(collectives, name) for name in names})
        vars(module).update(__doc__=collectives.__doc__, __version__=VERSION, __all__=names)


def install() -> None:
    """From now on `import mpi4jax` gives the core."""
    sys.meta_path.insert(0, Stand())
