"""The program as all ranks see it: files, imports, names of libraries, entries."""

from __future__ import annotations

import builtins
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import pickling
from jaxmpi_lint.interpreter.libraries import (
    builtin_functions,
    builtin_loops,
    builtin_types,
    clock,
    collection_types,
    command_lines,
    containers,
    context_tools,
    derived_classes,
    dispatch,
    environment,
    executed_code,
    files,
    formats,
    heaps,
    iteration,
    jax_checkpoints,
    jax_control,
    jax_devices,
    jax_functions,
    jax_numpy,
    jax_processes,
    jax_trees,
    logs,
    math_functions,
    memory_io,
    mpi4jax_operations,
    mpi_collectives,
    mpi_communicators,
    mpi_files,
    mpi_grids,
    mpi_messages,
    mpi_probes,
    mpi_requests,
    mpi_topologies,
    mpi_windows,
    named_modules,
    numpy_changes,
    numpy_creation,
    numpy_elementwise,
    numpy_methods,
    numpy_positions,
    numpy_random,
    numpy_reductions,
    numpy_shapes,
    numpy_sorting,
    numpy_walks,
    operator_functions,
    options,
    paths,
    patterns,
    ports,
    processes,
    progress_bars,
    random_numbers,
    slices,
    texts,
)
from jaxmpi_lint.interpreter.models import Arguments, Models
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.values import Cut, FunctionValue, Library, Method, Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Program as Project

_STANDARD = (
    builtin_functions, builtin_loops, builtin_types, command_lines, containers, clock, collection_types, context_tools,
    derived_classes, dispatch, environment, executed_code, files, formats, heaps, iteration, logs, math_functions,
    memory_io, named_modules, operator_functions, options, paths, patterns, ports, processes, progress_bars,
    random_numbers, slices, texts,
)  # fmt: skip
_NUMPY = (
    numpy_creation,
    numpy_changes,
    numpy_elementwise,
    numpy_methods,
    numpy_positions,
    numpy_random,
    numpy_reductions,
    numpy_shapes,
    numpy_sorting,
    numpy_walks,
)
_MPI = (
    mpi_collectives,
    mpi_communicators,
    mpi_files,
    mpi_grids,
    mpi_messages,
    mpi_probes,
    mpi_requests,
    mpi_topologies,
    mpi_windows,
)
_JAX = (
    mpi4jax_operations,
    jax_processes,
    jax_devices,
    jax_functions,
    jax_control,
    jax_trees,
    jax_numpy,
    jax_checkpoints,
)
PARTS = (*_STANDARD, *_MPI, *_NUMPY, *_JAX)
"""The models of all libraries."""

MODELS = Models(PARTS)
MAX_FURTHER_LINES = 3_000
LINES_FOR_FURTHER = 10
"""Files that the engine does not analyse are read for the interpreter up to this number of lines, and a tenth of the
lines of the others."""

_COMMUNICATION = ("mpi4py", "mpi4jax", "process_index", "process_count", "multihost_utils", "distributed")
_BUILTINS = frozenset(dir(builtins))


class Program:
    """One entry of a project; ``models`` are what is known of libraries.

    ``facts`` are numbers that worlds of different size compute at the same place, ``lazy`` the generator expressions
    whose items are made one by one.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.models = MODELS
        self.imported: frozenset[str] = frozenset()
        self._paths: dict[object, int] = {}
        self.facts: dict[object, dict[int, int]] = {}
        self.lazy: set[int] = set()
        self._located: dict[tuple[str, str], tuple[ir.Module | None, str]] = {}
        self._before: dict[tuple[str, str], list[ir.Module]] = {}
        self._communicates: dict[tuple[str, str], bool] = {}

    def may_communicate(self, module: ir.Module, function: ir.Function) -> bool:
        """Whether a function, or one that it calls, may communicate."""
        key = module.path, function.qualname
        if key not in self._communicates:
            self._communicates[key] = self.project.summaries.function_may_communicate(key)
        return self._communicates[key]

    @cached_property
    def lines(self) -> int:
        """The lines of the files that the engine reads."""
        return sum(len(model.ir.line_starts) for model in self.project.modules())

    @cached_property
    def pickles_more(self) -> bool:
        """Whether a file names a library or a setting by which mpi4py can send more than `pickle` can."""
        return any(pickling.names_other_pickler(model.ir.text) for model in self.project.modules())

    @cached_property
    def converts_counts(self) -> bool:
        """Whether the target is a release of mpi4py before 4.0, which cuts off the fraction of counts."""
        release = self.project.catalogue.release("mpi4py")
        return release is not None and release < (4,)

    def communicates(self, entry: ir.Module) -> bool:
        """Whether a file, or one that it imports, names a library of communication."""
        seen: set[str] = set()
        stack = [entry.path]
        while stack:
            model = self.project.module(stack.pop())
            if model is None or model.ir.path in seen:
                continue
            seen.add(model.ir.path)
            if model.mentions(_COMMUNICATION):
                return True
            stack += self.project.imported_files(model.ir)
        return False

    def is_of_library(self, entry: ir.Module) -> bool:
        """Whether other programs import a file, or it is a member of a package: its main guard is a demonstration.

        A member that nothing imports and that has a function `main` is a program, started by ``python -m``.
        """
        return entry.path in self.imported or ("main" not in entry.functions and self._is_member(entry))

    def _is_member(self, entry: ir.Module) -> bool:
        """Whether a file lies in a package; a module beside its folder may have the name of the folder, and is none."""
        name = entry.name.rpartition(".")[0]
        package = self.project.located(entry, name)[0] if name else None
        return (
            package is not None and package.is_package and entry.path.startswith(os.path.dirname(package.path) + os.sep)
        )

    def canonical(self, dotted: str) -> str:
        """The name under which the tables know a library symbol."""
        return self.project.canonical(dotted)

    def is_builtin(self, name: str) -> bool:
        """Whether Python has a built-in name."""
        return name in _BUILTINS

    def path(self, key: object) -> int:
        """A number for a chain of calls, equal for equal chains."""
        return self._paths.setdefault(key, len(self._paths) + 1)

    def locate(self, importer: ir.Module, target: str) -> tuple[ir.Module | None, str]:
        """The file that an import finds, and the rest of the name; None for libraries."""
        key = importer.path, target
        if key not in self._located:
            if self.project.further_lines > MAX_FURTHER_LINES + self.lines // LINES_FOR_FURTHER:
                raise Cut("further files of the project")
            self._located[key] = self.project.located(importer, target)
        return self._located[key]

    def files_before(self, importer: ir.Module, target: str) -> list[ir.Module]:
        """The packages that an import runs before the file itself."""
        key = importer.path, target
        if key not in self._before:
            self._before[key] = self.project.packages_before(importer, target)
        return self._before[key]

    def submodule(self, package: ir.Module, name: str) -> ir.Module | None:
        """A submodule of a package."""
        return self.project.submodule(package, name)

    def name_of(self, function: Value) -> str:
        """The name of a callee in messages."""
        if isinstance(function, Library):
            return function.dotted
        if isinstance(function, Method):
            return function.name
        return function.key[0] if isinstance(function, Symbol) and isinstance(function.key[0], str) else "call"

    def is_communicating_method(self, name: str, module: ir.Module) -> bool:
        """Whether a class of the program that contains a file has a communicating method of this name."""
        return self.project.summaries.is_named_as_method(name, module)

    def is_declared_uniform(self, module: ir.Module, span: ir.Span) -> bool:
        """Whether a comment declares the values of a statement to be equal on all ranks."""
        model = self.project.module(module.path)
        return model is not None and model.is_declared_uniform(span)

    def is_uniform(self, expression: ir.Expression) -> bool:
        """Whether the settings declare an expression to be equal on all ranks."""
        return bool(self.project.settings.uniform) and self.project.is_uniform(ir.dotted(expression))

    def intercept(self, rank: Any, function: FunctionValue) -> Any:
        """A handler that stands for a function of the project, such as a compiled one; None for others."""
        return None

    def decorate(self, rank: Any, dotted: str, value: Value) -> Value:
        """What a decorator of a library makes of a function; an unknown one leaves it as it is."""
        command = command_lines.DECORATORS.get(dotted) or dispatch.DECORATORS.get(dotted)
        made = (
            jax_functions.decorate(rank, dotted, value) if command is None else command(rank, Arguments((value,), {}))
        )
        return value if made is None else made
