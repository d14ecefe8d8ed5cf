"""Activation of the sanitizer in this process; imported by the `.pth` file when `JAXMPI_SANITIZE` is set.

Nothing happens and nothing is printed until an MPI library is loaded into the process: only the loading of extension
modules (and of libraries by ctypes) is watched. If anything here fails, the program continues unchecked, and a line
reports it. The code that runs at each loading imports nothing: a module of the standard library may be half imported.
"""

from __future__ import annotations

import _thread
import atexit
import os
import sys
from _frozen_importlib_external import ExtensionFileLoader

from jaxmpi_lint.runtime.settings import import_hook
from jaxmpi_lint.runtime.settings.environment import MPI_LIBRARIES, monitor_command, say, without_core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import ModuleType

WITHOUT_NATIVE: ImportError | None = None
try:
    from jaxmpi_lint.runtime import _native
except ImportError as reason:
    WITHOUT_NATIVE = reason

MPI4PY = "mpi4py.MPI"
MPI4JAX = "mpi4jax._src.xla_bridge."
LOADERS = {"_ctypes": "dlopen", "_cffi_backend": "load_library"}
LOADED_FIRST = (
    "NOT CHECKED: another library loaded MPI with dlopen before the sanitizer was attached; import mpi4py.MPI first"
)


class Activation:
    """The state of the activation in this process."""

    def __init__(self) -> None:
        self.settled = False  # activated, or found impossible
        self.watching = False  # activated
        self.failed = False
        self.busy: set[int] = set()  # threads in an import made by the sanitizer
        self.maps = 0

    def guarded(self, step: Callable[..., None], *arguments: object) -> None:
        """Carry out a step; an exception in it never reaches the program."""
        me = _thread.get_ident()
        if me in self.busy:
            return
        self.busy.add(me)
        try:
            step(*arguments)
        except Exception as error:
            if not self.failed:
                say(f"NOT CHECKING: {type(error).__name__}: {error} (internal error in the sanitizer)")
            self.settled, self.watching, self.failed = True, False, True
        finally:
            self.busy.discard(me)

    def before_loading(self, spec: ModuleSpec) -> None:
        """Load the interposers before an extension that is linked to MPI is loaded."""
        if self.settled or not spec.origin:
            return
        needed = [] if WITHOUT_NATIVE else _native.needed_by(spec.origin)
        soname = next((name for name in needed if name.startswith(MPI_LIBRARIES)), "")
        if not soname and spec.name != MPI4PY:
            return
        from pathlib import Path

        from jaxmpi_lint.runtime.settings import elf

        extension = elf.read(Path(spec.origin)) if soname else None
        found = extension.find(soname) if extension else None
        self.switch_on(soname, str(found or ""), spec.name)

    def after_loading(self, name: str) -> None:
        """Handle libraries that an extension has loaded: MPI itself, or callers bound past the interposers."""
        if WITHOUT_NATIVE or (self.settled and not self.watching):
            return
        maps = _native.mapped_so_far()
        if maps == self.maps:
            return
        self.maps = maps
        if not self.settled:
            path = _native.mapped_library()
            if path:
                self.switch_on("", path, name)
        elif self.watching:
            _native.rewrite_slots()

    def switch_on(self, soname: str, path: str, name: str) -> None:
        """Load the interposers for the MPI library `soname`; `path` is its file, unless it is loaded already."""
        from jaxmpi_lint.runtime.settings import options

        self.settled = True
        text = options.checked(os.environ)
        if WITHOUT_NATIVE:
            say(f"NOT CHECKING: {without_core(WITHOUT_NATIVE)}")
            return
        if _native.phase() != "off":  # preloaded by `jaxmpi-sanitize run`
            self.watch()
            return
        library = next((file for mapped, file in _native.mapped_libraries() if soname in ("", mapped)), path or soname)
        problem = _native.use_library(library)
        if not problem and _native.initialised():
            problem = f"MPI was initialised before {name} was imported"
        if problem:
            say(f"NOT CHECKING: {problem}")
            return
        _native.configure(text, monitor_command(), unchecked(_native.call_sites_missing))
        self.watch()

    def watch(self) -> None:
        """Load the interposers; from now on watch for new callers and for the end of the program."""
        from jaxmpi_lint.runtime.process import exit_hooks
        from jaxmpi_lint.runtime.settings import ownership

        ownership.publish()
        problem = _native.load_interposers()
        if problem:
            say(f"NOT CHECKING: {problem}")
            return
        self.watching = True
        self.maps = _native.mapped_so_far()
        _native.rewrite_slots()
        exit_hooks.watch()

    def after_initialising(self, module: ModuleType) -> None:
        """Wrap functions of an extension that has just been initialised."""
        if module.__name__ in LOADERS:
            self.watch_loader(module, LOADERS[module.__name__])
        elif module.__name__ == MPI4PY and self.watching:
            from jaxmpi_lint.runtime.process import mpi4py_methods

            missing = mpi4py_methods.wrap(module)
            if missing:
                say(f"not checked: the methods {', '.join(missing)}, which this mpi4py does not have")
        elif module.__name__.startswith(MPI4JAX) and self.watching:
            from jaxmpi_lint.runtime.process import mpi4jax_operations
            from jaxmpi_lint.runtime.settings import ownership

            ownership.publish()
            mpi4jax_operations.MPI4JAX.watch(module)

    def after_jax(self, module: ModuleType) -> None:
        """Watch for jobs of several JAX processes, and for their cross-process functions."""
        from jaxmpi_lint.runtime.settings import ownership
        from jaxmpi_lint.runtime.xla.checks import watching

        if module.__name__ == "jax":
            ownership.publish()
        watching.WATCHING.arrived(module)
        if module.__name__ == import_hook.DISTRIBUTED:
            from jaxmpi_lint.runtime.xla.capture import joining
            from jaxmpi_lint.runtime.xla.starting import watch

            watch.install(module, self.attempted, say)
            joining.watch(module, self.attempted)

    def attempted(self, step: Callable[..., None], *arguments: object) -> None:
        """Carry out a step for JAX; an exception in it does not affect the checking of MPI."""
        try:
            step(*arguments)
        except Exception as error:
            say(f"NOT CHECKING: launches of JAX ({type(error).__name__}: {error}; internal error in the sanitizer)")

    def watch_loader(self, module: ModuleType, name: str) -> None:
        """Watch the libraries that a foreign-function module loads with the function of this name."""
        load = getattr(module, name)

        def loading(*arguments: object) -> object:
            library = load(*arguments)
            self.guarded(self.after_loading, module.__name__)
            return library

        loading.__name__, loading.__doc__ = name, load.__doc__
        setattr(module, name, loading)

    def at_exit(self, process: int) -> None:
        """Report it if MPI was loaded into this process in a way that is not watched."""
        missed = not self.settled and not WITHOUT_NATIVE and os.getpid() == process
        library = _native.mapped_library() if missed else ""
        if library and not _native.use_library(library) and _native.initialised():
            say(LOADED_FIRST)


def unchecked(call_sites_missing: str) -> str:
    """What the sanitizer cannot see in this interpreter, for its first line."""
    return f"lines of the program ({call_sites_missing})" if call_sites_missing else ""


def install() -> Activation:
    """Watch the loading of extension modules."""
    activation = Activation()
    if not WITHOUT_NATIVE:
        _native.keep_standard_error()  # before pytest and others replace it
    if "backend=core" in os.environ.get("JAXMPI_SANITIZE_OPTIONS", "").split(":"):
        from jaxmpi_lint.runtime.process import backend

        backend.install()
    create, execute = ExtensionFileLoader.create_module, ExtensionFileLoader.exec_module

    def create_module(self: ExtensionFileLoader, spec: ModuleSpec) -> ModuleType:
        activation.guarded(activation.before_loading, spec)
        module = create(self, spec)
        activation.guarded(activation.after_loading, spec.name)
        return module

    def exec_module(self: ExtensionFileLoader, module: ModuleType) -> None:
        execute(self, module)
        activation.guarded(activation.after_initialising, module)

    ExtensionFileLoader.create_module = create_module  # type: ignore[method-assign]
    ExtensionFileLoader.exec_module = exec_module  # type: ignore[method-assign]
    for module in LOADERS.keys() & set(sys.builtin_module_names):  # without a file that would be loaded
        activation.watch_loader(__import__(module), LOADERS[module])
    atexit.register(activation.guarded, activation.at_exit, os.getpid())
    import_hook.expect(lambda module: activation.attempted(activation.after_jax, module))
    return activation


ACTIVATION = install()
