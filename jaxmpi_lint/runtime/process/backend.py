"""`backend=core`: `import mpi4jax` gives jaxmpi-lint's own collectives, whether mpi4jax is installed or not."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from jaxmpi_lint.runtime.settings.environment import say

NAME = "mpi4jax"
VERSION = "0.9.1"  # the version whose functions are provided


class Stand(MetaPathFinder, Loader):
    """Finds and creates the module that replaces mpi4jax."""

    def find_spec(self, name: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec of the replacement, for this name only."""
        return spec_from_loader(name, self) if name == NAME else None

    def exec_module(self, module: ModuleType) -> None:
        """Define the names that mpi4jax has."""
        collectives = import_module("jaxmpi_lint.runtime.collectives")  # it imports jax
        say(f"mpi4jax is the collectives core of jaxmpi-lint, with the functions of mpi4jax {VERSION} (backend=core)")
        names = [name for name in collectives.__all__ if name != "Unavailable"]
        vars(module).update({name: getattr(collectives, name) for name in names})
        vars(module).update(__doc__=collectives.__doc__, __version__=VERSION, __all__=names)


def install() -> None:
    """Make `import mpi4jax` give the collectives core from now on."""
    sys.meta_path.insert(0, Stand())
