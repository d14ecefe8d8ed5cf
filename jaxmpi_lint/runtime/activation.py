"""Switching the sanitizer on in this process; imported by the `.pth` file when `JAXMPI_SANITIZE` is set.

Nothing happens and nothing is printed until something brings an MPI library into the process: only the loading of
extension modules is watched. Whatever fails in here, the program goes on without being checked, and is told so.
"""

from __future__ import annotations

import importlib.machinery
import os
import sys
from types import ModuleType

RANK_VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
MPI4PY = "mpi4py.MPI"


def say(text: str) -> None:
    """One line on standard error, from the first rank as far as the launcher tells ranks."""
    rank = next((os.environ[name] for name in RANK_VARIABLES if name in os.environ), "0")
    if rank == "0":
        os.write(2, f"jaxmpi-sanitize: {text}\n".encode())


class Activation:
    """What has been done so far to watch this process."""

    def __init__(self) -> None:
        self.settled = False  # switched on, or found impossible
        self.working = False  # the import that is under way is our own
        self.maps = 0

    def before(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Put the interposers in place before an extension that brings MPI is loaded."""
        if self.settled or not spec.origin:
            return
        if spec.name == MPI4PY:
            self.switch_on(spec)

    def after(self, spec: importlib.machinery.ModuleSpec) -> None:
        """See whether an extension has brought MPI without being known for it."""

    def switch_on(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Load the interposers for the MPI library that `spec` is going to use."""
        from jaxmpi_lint.runtime import options

        self.settled = True
        try:
            text = options.canonical(os.environ)
        except options.OptionError as mistake:
            say(str(mistake))
            sys.stdout.flush()
            os._exit(2)
        try:
            from jaxmpi_lint.runtime import _native
        except ImportError as reason:
            say(f"NOT CHECKING: the native core is missing ({reason})")
            return
        if _native.phase() != "off":
            return
        problem = _native.use_library(_native.mapped_library())
        if not problem and _native.initialised():
            problem = f"MPI was initialised before {spec.name} was imported"
        if not problem:
            _native.configure(text, [sys.executable, "-P", "-m", "jaxmpi_lint.runtime.monitor"], "")
            problem = _native.load_interposers()
        if problem:
            say(f"NOT CHECKING: {problem}")


def install() -> None:
    """Watch the loading of extension modules."""
    activation = Activation()
    loader = importlib.machinery.ExtensionFileLoader
    create = loader.create_module

    def create_module(self: importlib.machinery.ExtensionFileLoader, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        if activation.working:
            return create(self, spec)
        activation.working = True
        try:
            activation.before(spec)
        except Exception as error:
            say(f"NOT CHECKING: {error!r}, a mistake of the sanitizer")
        finally:
            activation.working = False
        module = create(self, spec)
        activation.after(spec)
        return module

    loader.create_module = create_module  # type: ignore[method-assign]


install()
