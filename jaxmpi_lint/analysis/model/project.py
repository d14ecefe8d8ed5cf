"""The whole program: modules, functions and classes, with cross references."""

from __future__ import annotations

import builtins
import fnmatch
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.communicator_names import Words
from jaxmpi_lint.analysis.lattice.derived import Services
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    WORLD,
    ClassReference,
    Communicator,
    FunctionReference,
    Instance,
    ModuleReference,
    Named,
    Value,
)
from jaxmpi_lint.analysis.lattice.limits import NESTED_DATA_FLOWS
from jaxmpi_lint.analysis.model.classes import ClassModel
from jaxmpi_lint.analysis.model.decorators import Decorators
from jaxmpi_lint.analysis.model.duck_typing import Shapes
from jaxmpi_lint.analysis.model.function import FunctionModel
from jaxmpi_lint.analysis.model.instances import Objects
from jaxmpi_lint.analysis.model.module import ModuleModel
from jaxmpi_lint.analysis.model.seeding import Seeding
from jaxmpi_lint.analysis.model.summaries import Summaries
from jaxmpi_lint.analysis.tracing.traced_functions import TracedCode
from jaxmpi_lint.analysis.uniformity.annotations import COMMUNICATOR_CLASSES
from jaxmpi_lint.analysis.uniformity.contexts import Contexts
from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.model import Operation
from jaxmpi_lint.library.mpi.mpi4py_names import COMM_SELF
from jaxmpi_lint.library.names import RANK_OF_LIBRARY

if TYPE_CHECKING:
    from jaxmpi_lint.settings.settings import Settings

_LIBRARIES = frozenset({"mpi4py", "mpi4jax", "jax"})
_OF_MPI = ("mpi4py", "mpi4jax")


class Finder(Protocol):
    """Finds modules among the files of a project."""

    def find(self, importer_path: str, dotted: str, level: int = 0) -> tuple[str, str] | None:
        """The file that contains a dotted name, and the rest of the name; None outside the project."""


class Project(Services):
    """All modules that were read, the modules to report, and the library tables in use."""

    def __init__(
        self, modules: Sequence[ir.Module], reported: Collection[str], finder: Finder, settings: Settings
    ) -> None:
        super().__init__()
        self.settings = settings
        self.catalogue = Catalogue(settings.targets, settings.wrappers, settings.transforms)
        self.builtins = frozenset(dir(builtins))
        self.rank_names = frozenset(settings.rank_names)
        self.summaries = Summaries(self)
        self.traced = TracedCode(self)
        self.objects = Objects(self)
        self.contexts = Contexts(self)
        self.shapes = Shapes(self)
        self.decorators = Decorators(self)
        self._finder = finder
        self._modules = {module.path: ModuleModel(self, module) for module in modules}
        self._reported = [path for path in self._modules if path in frozenset(reported)]
        self._words = Words(settings.comm_names)
        self._mentioned: dict[tuple[str, ...], bool] = {}
        self._has_run_modules = False
        self._runs = 0
        self._running: set[tuple[str, str]] = set()
        self._imported: dict[tuple[str, str], Value] = {}
        self._symbols: dict[str, Value] = {}
        self.parse_more: Callable[[str], ir.Module | None] = lambda path: None
        self._further: dict[str, ir.Module | None] = {}

    # --- contents ---

    def modules(self) -> Iterator[ModuleModel]:
        """Every module that was read."""
        yield from self._modules.values()

    @cached_property
    def packages(self) -> frozenset[str]:
        """The outermost packages and modules."""
        return frozenset(model.ir.name.partition(".")[0] for model in self._modules.values())

    def reported_modules(self) -> Iterator[ModuleModel]:
        """The modules whose findings are wanted."""
        for path in self._reported:
            yield self._modules[path]

    def module(self, path: str) -> ModuleModel | None:
        """A module by its path."""
        return self._modules.get(path)

    def function(self, path: str, qualname: str) -> FunctionModel | None:
        """A function by path and qualified name."""
        model = self._modules.get(path)
        return model.function(qualname) if model is not None and qualname in model.ir.functions else None

    def class_model(self, reference: ClassReference | Instance) -> ClassModel | None:
        """A class of the project."""
        model = self._modules.get(reference.path)
        return model.class_model(reference.qualname) if model and reference.qualname in model.ir.classes else None

    # --- recursion ---

    def is_running(self, function: FunctionModel) -> bool:
        """Whether the function's data flow is unavailable: it is being computed, or too many others are."""
        return function.key in self._running or (len(self._running) > NESTED_DATA_FLOWS and not function.is_computed)

    def run_modules(self) -> None:
        """Compute the data flows of the bodies of all modules, before those of functions that nothing there calls."""
        if not self._has_run_modules:
            self._has_run_modules = True
            for model in self._modules.values():
                _ = model.body.flow

    @property
    def is_busy(self) -> bool:
        """Whether some data flow is being computed."""
        return bool(self._running)

    def new_run(self) -> str:
        """A name for a specialised function, which distinguishes the objects created in it from those of others."""
        self._runs += 1
        return f"~{self._runs}"

    @contextmanager
    def running(self, function: FunctionModel) -> Iterator[None]:
        """Mark a function while its data flow is computed."""
        self._running.add(function.key)
        try:
            yield
        finally:
            self._running.discard(function.key)

    @contextmanager
    def running_once(self, what: str, purpose: str) -> Iterator[bool]:
        """True for the outermost of nested computations of the same thing."""
        key = (what, f"<{purpose}>")
        first = key not in self._running
        self._running.add(key)
        try:
            yield first
        finally:
            if first:
                self._running.discard(key)

    # --- names ---

    def canonical(self, dotted: str) -> str:
        """The name under which the tables know a library symbol."""
        return self.catalogue.canonical(dotted)

    def imported(self, module: ir.Module, target: str) -> Value:
        """What an import of ``target`` (with leading dots if relative) binds in a module."""
        key = (module.path, target)
        if key not in self._imported:
            self._imported[key] = NOTHING  # during the look-up, for import cycles
            found = self._import(module, target)
            if self._depends_on_running(found):
                del self._imported[key]
                return found
            self._imported[key] = found
        return self._imported[key]

    def _depends_on_running(self, value: Value) -> bool:
        return value.entity is None and bool(self._running)

    def _import(self, module: ir.Module, target: str) -> Value:
        dotted = target.lstrip(".")
        level = len(target) - len(dotted)
        located = self._finder.find(module.path, dotted, level)
        if located is None:
            return NOTHING if level else self.library_symbol(dotted)
        path, rest = located
        value = Value.uniform(ModuleReference(path)) if path in self._modules else NOTHING
        for name in rest.split(".") if rest else ():
            value = (
                self.module_attribute(value.entity.path, name) if isinstance(value.entity, ModuleReference) else NOTHING
            )
        if value.entity is None and not level and dotted.partition(".")[0] in _LIBRARIES:
            return self.library_symbol(dotted)  # the library's own repository: compiled or unread parts
        return value

    def library_symbol(self, dotted: str) -> Value:
        """The value of a dotted name of a library: a predefined communicator, otherwise the name itself."""
        known = self._symbols.get(dotted)
        if known is None:
            known = self._symbols[dotted] = self._symbol(self.canonical(dotted))
        return known

    def imported_files(self, module: ir.Module) -> Iterator[str]:
        """The files of the project that the imports of a module run; a file may be repeated."""
        for function in module.functions.values():
            for step in function.steps():
                for name in step.names if isinstance(step, ir.Import) else ():
                    yield from self.files_imported(module, name.target)

    def files_imported(self, module: ir.Module, target: str) -> list[str]:
        """The files of the project that an import of ``target`` runs, except packages that contain the module."""
        dotted = target.lstrip(".")
        level = len(target) - len(dotted)
        parts = dotted.split(".") if dotted else []
        prefixes = [".".join(parts[:count]) for count in range(0 if level else 1, len(parts) + 1)]
        located = [self._finder.find(module.path, prefix, level) for prefix in prefixes]
        found = [path for path, rest in filter(None, located) if not rest and path in self._modules]
        folder = os.path.dirname(module.path) + os.sep
        return [
            path
            for path in dict.fromkeys(found)
            if not folder.startswith(os.path.dirname(path) + os.sep) or os.path.basename(path) != "__init__.py"
        ]

    def located(self, importer: ir.Module, target: str) -> tuple[ir.Module | None, str]:
        """The file of the project that an import of ``target`` finds, and the rest of the name."""
        dotted = target.lstrip(".")
        found = self._finder.find(importer.path, dotted, len(target) - len(dotted))
        if found is None:
            return None, ""
        model = self._modules.get(found[0])
        return (model.ir if model is not None else self._read(found[0])), found[1]

    def _read(self, path: str) -> ir.Module | None:
        """A file that the engine does not analyse, since it neither communicates nor calls what does."""
        if path not in self._further:
            self._further[path] = self.parse_more(path)
        return self._further[path]

    @property
    def further_lines(self) -> int:
        """The lines of the files that were read for the interpreter alone."""
        return sum(len(module.line_starts) for module in self._further.values() if module is not None)

    def submodule(self, package: ir.Module, name: str) -> ir.Module | None:
        """A module inside of a package."""
        folder = os.path.dirname(package.path)
        for candidate in (os.path.join(folder, f"{name}.py"), os.path.join(folder, name, "__init__.py")):
            if package.is_package and candidate in self._modules:
                return self._modules[candidate].ir
        return None

    def packages_before(self, module: ir.Module, target: str) -> list[ir.Module]:
        """The packages that an import of ``target`` runs first, except those that contain the importing file."""
        dotted = target.lstrip(".")
        parts = dotted.split(".")
        dots = target[: len(target) - len(dotted)]
        found: list[ir.Module] = []
        for count in range(1, len(parts)):
            package, rest = self.located(module, dots + ".".join(parts[:count]))
            folder = os.path.dirname(package.path) + os.sep if package is not None else ""
            if package is not None and not rest and package.is_package and not module.path.startswith(folder):
                found.append(package)
        return found

    def module_attribute(self, path: str, name: str) -> Value:
        """An attribute of a module of the project: a global name or a submodule."""
        model = self._modules.get(path)
        if model is None:
            return NOTHING
        found = model.global_value(name)
        if found is not None:
            return found
        if model.ir.is_package:
            folder = os.path.dirname(path)
            for candidate in (os.path.join(folder, f"{name}.py"), os.path.join(folder, name, "__init__.py")):
                if candidate in self._modules:
                    return Value.uniform(ModuleReference(candidate))
        return NOTHING

    def _symbol(self, name: str) -> Value:
        if name == WORLD:
            return Value.uniform(Communicator(WORLD, frozenset({WORLD}), label="MPI.COMM_WORLD"))
        if name == COMM_SELF:
            return Value.uniform(Communicator(COMM_SELF, frozenset(), label="MPI.COMM_SELF"))
        if RANK_OF_LIBRARY.search(name):
            return Value(Named(name), UNKNOWN, UNIFORM, UNIFORM)
        return Value.uniform(Named(name))

    def member(self, owner: Instance | ClassReference, name: str) -> Value:
        """A field, property or method of an object or class of the project."""
        model = self.class_model(owner)
        return model.member(name, owner) if model is not None else NOTHING

    def self_value(self, path: str, qualname: str, by_class: bool) -> Value:
        """The value of the first parameter of a method."""
        if by_class:
            return Value.uniform(ClassReference(path, qualname))
        reference = ClassReference(path, qualname)
        if self.is_communicator_class(reference):
            return self.guessed_communicator(f"{path}:{qualname}", "self")
        return Value(Instance(path, qualname, "self"), UNKNOWN, UNKNOWN, UNIFORM)

    # --- communicators by name, class or annotation ---

    @cached_property
    def has_mpi_evidence(self) -> bool:
        """Whether some module imports mpi4py or mpi4jax, or calls methods that only a communicator has."""
        for model in self._modules.values():
            for function in model.ir.functions.values():
                if any(self._is_of_communicator(call) for _, _, call in function.placed_calls()):
                    return True
                if model.mentions(_OF_MPI) and any(map(_imports_mpi, function.steps())):
                    return True
        return False

    @cached_property
    def is_of_mpi(self) -> bool:
        """Whether there may be communicators: MPI is named somewhere, or methods of communicators are called."""
        return self.has_mpi_evidence or self.mentions(_OF_MPI)

    def _is_of_communicator(self, call: ir.Call) -> bool:
        return isinstance(call.func, ir.Attribute) and self.catalogue.unmistakable(call.func.attr)

    def mentions(self, words: tuple[str, ...]) -> bool:
        """Whether the text of some module contains one of these words."""
        if words not in self._mentioned:
            self._mentioned[words] = any(model.mentions(words) for model in self._modules.values())
        return self._mentioned[words]

    def may_be_communicator(self, name: str) -> bool:
        """Whether a name or attribute without a known value counts as a communicator."""
        return self.has_mpi_evidence and self._words.names_communicator(name)

    def has_common_seed(self, dotted: str, path: str) -> bool:
        """Whether random numbers of a library function in a file may be equal on all processes."""
        return self.get(Seeding).is_common(dotted, path)

    def guessed_communicator(self, context: str, label: str) -> Value:
        """A communicator known only by its access path."""
        return Value(Communicator(context, frozenset({context}), label=f"`{label}`"), UNKNOWN, UNKNOWN, UNKNOWN)

    def is_communicator_class(self, reference: ClassReference) -> bool:
        """Whether a class derives from one of mpi4py's communicators."""
        model = self.class_model(reference)
        return model is not None and any(name in COMMUNICATOR_CLASSES for name in model.library_bases)

    def is_uniform(self, path: str | None) -> bool:
        """Whether the configuration declares a dotted expression to be equal on all processes."""
        return path is not None and any(fnmatch.fnmatchcase(path, pattern) for pattern in self.settings.uniform)

    # --- calls ---

    def wrapper_operations(self, reference: FunctionReference) -> tuple[Operation, ...]:
        """The operations that a function of the project stands for according to the configuration."""
        if not self.settings.wrappers:
            return ()
        model = self._modules.get(reference.path)
        if model is None:
            return ()
        return self.catalogue.function(f"{model.ir.name}.{reference.qualname}")


def _imports_mpi(step: ir.Step) -> bool:
    return isinstance(step, ir.Import) and any(name.target.partition(".")[0] in _OF_MPI for name in step.names)
