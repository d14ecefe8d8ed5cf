"""Mechanisms that end every process when one of them fails: ``Abort``, exception hooks, handlers around the callers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.exception_flow import ExceptionFlow
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Communicator, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.analysis.model.call_graph import CallSite, CallSites
from jaxmpi_lint.analysis.uniformity.communicator_usage import call_of, run_function
from jaxmpi_lint.library.model import Kind
from jaxmpi_lint.library.python.process_exit import ENDS_PROCESSES, ORIGINAL_HOOK, REGISTER_AT_EXIT, SUPPRESS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_RUN_BY_MPI4PY = re.compile(r"-m mpi4py(?:\.run)?(?=\s)")
"""How a text says that the program is started: ``python -m mpi4py script.py`` aborts the job at an exception."""

_ABORTING_NAME = re.compile(r"(?:^|_)abort|Abort")
_Key = tuple[str, str]


class AbortHandlers:
    """Finds the mechanisms by which the other processes of a project detect a failure of one."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._sites = project.get(CallSites)
        self._aborting = Solved[_Key, bool](False)
        self._covered = Solved[_Key, bool](True)
        self._flows: dict[tuple[str, str, str], ExceptionFlow] = {}

    def flow(self, function: Function) -> ExceptionFlow:
        """The exceptional control flow of a function."""
        key = (*function.key, function.run)
        if key not in self._flows:
            self._flows[key] = ExceptionFlow(function)
        return self._flows[key]

    # --- calls that end every process ---

    def aborts(self, bound: BoundCall) -> bool:
        """Whether a call ends every process, itself or in the function of the project that it runs."""
        if bound.operation is not None:
            return bound.operation.kind is Kind.ABORT
        if bound.dotted in ENDS_PROCESSES:
            return True
        target = run_function(self._project, bound)
        if target is not None:
            return self.function_aborts(target)
        name = (ir.dotted(bound.call.func) or "").rpartition(".")[2] or getattr(bound.call.func, "attr", "")
        return bool(_ABORTING_NAME.search(name))

    def function_aborts(self, reference: FunctionReference) -> bool:
        """Whether a function of the project, or one nested in it, has a call that ends every process."""
        function = self._project.function(reference.path, reference.qualname)
        return function is not None and self._aborting.of(function.key, lambda: self._has_abort(function))

    def _has_abort(self, function: Function) -> bool:
        return any(self.aborts(bound) for own in (function, *_nested(function)) for bound in own.calls())

    def block_aborts(self, function: Function, index: int) -> bool:
        """Whether a block has a call that ends every process."""
        return any(self.aborts(bound) for bound in self.flow(function).calls(index))

    def tells(self, function: Function, index: int) -> bool:
        """Whether a block communicates with the other processes, or aborts."""
        return any(self.aborts(bound) or _speaks(function, bound) for bound in self.flow(function).calls(index))

    # --- handlers of an exception that leaves a function ---

    def covers(self, function: Function) -> bool:
        """Whether an exception that leaves a function ends every process, as far as its callers are known."""
        return self._has_hook(function) or self._is_covered(function)

    def handles(self, function: Function, block: int, span: ir.Span) -> bool:
        """Whether a failure at a position reaches a handler that aborts, or a context manager that may signal it."""
        flow = self.flow(function)
        for entry in function.ir.blocks[block].handlers:
            if any(self.block_aborts(function, index) for index in flow.reachable(entry, exceptions=False)):
                return True
        return any(self.manager_tells(function, enter) for enter in entered_around(function.ir, span))

    def manager_tells(self, function: Function, enter: ir.Enter) -> bool:
        """Whether a context manager may signal a failure in its block to the other processes."""
        bound = function.bound(enter.context) if isinstance(enter.context, ir.Call) else None
        if bound is None:
            return False
        entity = bound.callee.entity
        if isinstance(entity, FunctionReference):
            return self.function_aborts(entity) or self._project.summaries.function_may_communicate(entity.key)
        if isinstance(entity, ClassReference):
            model = self._project.class_model(entity)
            leave = model.method("__exit__") if model is not None else None
            return (
                leave is None
                or self.function_aborts(leave)
                or self._project.summaries.function_may_communicate(leave.key)
            )
        if isinstance(entity, Named):
            return entity.dotted == SUPPRESS
        return any(isinstance(function.value(a.value, {}).entity, Communicator) for a in bound.call.args)

    def calls_of(self, function: Function) -> Iterator[CallSite]:
        """The calls of a function through which an exception would propagate."""
        for site in self._sites.copies(function):
            if not self.handles(site.caller, site.block, site.span):
                yield site

    def _is_covered(self, function: Function) -> bool:
        """Whether every known path to a function runs under a handler that aborts."""
        return self._covered.of(function.key, lambda: self._is_decorated(function) or self._is_called_safely(function))

    def _is_called_safely(self, function: Function) -> bool:
        calls = self._sites.copies(function)
        if not all(map(self._is_safe, calls)):
            return False
        handed = self._handed.get(function.key, [])
        return bool(calls or handed) and all(self.aborts(site.bound) or self._is_safe(site) for site in handed)

    def _is_safe(self, site: CallSite) -> bool:
        return self.handles(site.caller, site.block, site.span) or self._is_covered(site.caller)

    def _is_decorated(self, function: Function) -> bool:
        for decorator in function.ir.decorators:
            named = decorator.func if isinstance(decorator, ir.Call) else decorator
            entity = function.module_model.body.evaluator.value(named, {}).entity
            if isinstance(entity, FunctionReference) and self.function_aborts(entity):
                return True
        return False

    @cached_property
    def _handed(self) -> dict[_Key, list[CallSite]]:
        """The calls that receive a function as an argument."""
        found: dict[_Key, list[CallSite]] = {}
        for model in self._project.modules():
            for function in model.functions():
                for block, bound in function.calls_by_block:
                    for handed in _functions_handed(function, bound):
                        found.setdefault((handed.path, handed.qualname), []).append(CallSite(function, block, bound))
        return found

    # --- hooks ---

    def _has_hook(self, function: Function) -> bool:
        """Whether a program that contains the function installs a hook that ends every process."""
        path = function.module.path
        if any(path in program for program in self._hooked_programs):
            return True
        return os.path.dirname(path) in self._hooked_folders

    @cached_property
    def _hooks(self) -> set[str]:
        return {model.ir.path for model in self._project.modules() if self._installs_hook(model.ir.path)}

    @cached_property
    def _hooked_programs(self) -> list[set[str]]:
        """The files that are imported together with a hook."""
        models = list(self._project.modules()) if self._hooks else []
        imports = {model.ir.path: set(self._project.imported_files(model.ir)) for model in models}
        return [program for path in imports if (program := _closure(path, imports)) & self._hooks]

    @cached_property
    def _hooked_folders(self) -> set[str]:
        """Packages that offer a hook: their importers may lie outside the files that were read."""
        models = list(self._project.modules()) if self._hooks else []
        imported = {path for model in models for path in self._project.imported_files(model.ir)}
        return {os.path.dirname(path) for path in self._hooks & imported}

    def _installs_hook(self, path: str) -> bool:
        model = self._project.module(path)
        if model is None or not model.mentions(("excepthook", "atexit", "-m mpi4py")):
            return False
        if _RUN_BY_MPI4PY.search(model.ir.text):
            return True
        return any(self._replaces_hook(function) or self._aborts_at_exit(function) for function in model.functions())

    def _replaces_hook(self, function: Function) -> bool:
        for _, step, env in function.steps(lambda step: isinstance(step, ir.Assign)):
            assert isinstance(step, ir.Assign)
            if step.value is not None and any(_is_hook(function, target) for target in step.targets):
                entity = function.value(step.value, env).entity
                if isinstance(entity, FunctionReference):
                    return self.function_aborts(entity)
                if ir.dotted(step.value) != ORIGINAL_HOOK:
                    return True
        return False

    def _aborts_at_exit(self, function: Function) -> bool:
        """Whether an exit handler of a process ends the others, as it does where it detects an exception."""
        if "atexit" not in function.module.text:
            return False
        for _, step, env in function.steps(lambda step: isinstance(step, ir.Evaluate)):
            bound = call_of(function, step)
            if bound is not None and bound.dotted == REGISTER_AT_EXIT:
                return any(map(self.function_aborts, _functions_handed(function, bound, env)))
        return False


def _speaks(function: Function, bound: BoundCall) -> bool:
    """Whether a call communicates, or is unknown and is passed a communicator."""
    if bound.operations or bound.callee.entity is not None:
        own = bound.communicator is not None and bound.communicator.is_self
        return not own and function.project.summaries.call_may_communicate(bound, function.module)
    return any(isinstance(function.value(argument.value, {}).entity, Communicator) for argument in bound.call.args)


def _is_hook(function: Function, target: ir.Expression) -> bool:
    """Whether a target is ``sys.excepthook``, under any imported name of the module."""
    if not isinstance(target, ir.Attribute) or target.attr != "excepthook":
        return False
    entity = function.module_model.named(target.value).entity
    return ir.dotted(target.value) == "sys" or (isinstance(entity, Named) and entity.dotted == "sys")


def entered_around(function: ir.Function, span: ir.Span) -> Iterator[ir.Enter]:
    """The context managers whose blocks contain a position."""
    for step in function.steps():
        if isinstance(step, ir.Enter) and step.extent[0] <= span[0] < step.extent[1]:
            yield step


def _functions_handed(
    function: Function, bound: BoundCall, env: Environment | None = None
) -> Iterator[FunctionReference]:
    """Functions that are arguments of a call, by name; the values of local names require the environment."""
    for argument in bound.call.args:
        if isinstance(argument.value, (ir.Name, ir.Attribute)):
            if env is None and _is_local(function, argument.value):
                continue
            entity = function.value(argument.value, env or {}).entity
            if isinstance(entity, FunctionReference):
                yield entity


def _is_local(function: Function, expression: ir.Expression) -> bool:
    """Whether an expression uses a local name, whose value is unknown without an environment."""
    name = ir.root(expression)
    return isinstance(name, ir.Name) and function.ir.kind != "module" and function.is_local(name.id)


def _nested(function: Function) -> Iterator[Function]:
    prefix = f"{function.ir.qualname}.<locals>."
    for qualname in function.module.functions:
        if qualname.startswith(prefix):
            yield function.module_model.function(qualname)


def _closure(start: str, imports: dict[str, set[str]]) -> set[str]:
    seen, stack = {start}, [start]
    while stack:
        for path in imports.get(stack.pop(), ()):
            if path not in seen:
                seen.add(path)
                stack.append(path)
    return seen
