"""Common reachability: program points that all processes reach if one does, since every guard is uniform."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import may_mention, reads_anywhere
from jaxmpi_lint.analysis.conditions.guards import Guard, guards
from jaxmpi_lint.analysis.conditions.one_rank import asks_for_program
from jaxmpi_lint.analysis.conditions.uniform_tests import is_alike
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.uniformity.communicator_usage import run_function

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_Key = tuple[str, str]


class CommonReachability:
    """Answers for one project: module bodies, and functions of which every use is a call that all processes make."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._sites = project.get(CallSites)
        self._known = Solved[tuple[str, str, int], bool](False)
        self._ending = Solved[_Key, bool](False)
        self._handed: dict[_Key, bool] = {}

    def reached_by_all(self, function: Function, block: int) -> bool:
        """Whether all processes reach a block, for the first time, in the executions in which one of them does."""
        return self._known.of((*function.key, block), lambda: self._comes_to(function, block))

    def _comes_to(self, function: Function, block: int) -> bool:
        if not _is_plain(function) or block not in function.graph.reachable(0):
            return False
        decisive = [guard for guard in guards(function, block) if guard.block in function.graph.reachable(0, block)]
        if not all(_is_alike(function, guard) for guard in decisive) or self._may_have_ended(function, block):
            return False
        if function.ir.kind == "module":
            return function.module.path not in self._imported or any(map(_is_of_program, decisive))
        return self._is_only_called(function) and all(
            self.reached_by_all(site.caller, site.block) for site in self._sites.of(function)
        )

    # --- processes that may have exited ---

    def _may_have_ended(self, function: Function, block: int) -> bool:
        """Whether a function of the project that is called before may end a process."""
        return any(
            self._may_end(function.project.function(*key))
            for index, key in self._called(function)
            if index != block and block in function.graph.reachable(index)
        )

    def _may_end(self, function: Function | None) -> bool:
        return function is not None and self._ending.of(function.key, lambda: self._ends_or_calls(function))

    def _ends_or_calls(self, function: Function) -> bool:
        return (
            bool(function.leaving)
            or "SystemExit" in function.module.source(function.ir.span)
            or any(self._may_end(self._project.function(*key)) for _, key in self._called(function))
        )

    def _called(self, function: Function) -> Iterator[tuple[int, _Key]]:
        for index, bound in function.calls_by_block:
            reference = run_function(self._project, bound)
            if reference is not None:
                yield index, (reference.path, reference.qualname)

    # --- callers of a function ---

    @cached_property
    def _imported(self) -> frozenset[str]:
        """Files that others import, possibly on some processes only."""
        return frozenset(path for model in self._project.modules() for path in self._project.imported_files(model.ir))

    def _is_only_called(self, function: Function) -> bool:
        """Whether a function is called somewhere, and every mention of its name is such a call."""
        if function.key not in self._handed:
            self._handed[function.key] = self._is_handed(function)
        return not self._handed[function.key]

    def _is_handed(self, function: Function) -> bool:
        name = _called_name(function)
        calls = {(site.caller.module.path, site.bound.call.func.span) for site in self._sites.of(function)}
        mentions = {
            (model.ir.path, span)
            for model in self._project.modules()
            if model.names((name,))
            for other in model.ir.functions.values()
            if model.ir.text.find(name, *other.span) >= 0
            for span in _mentions(other, name, model.ir.text)
        }
        return not calls or calls != mentions


def _is_plain(function: Function) -> bool:
    """Whether it is a module body, or a function that a call runs without modification."""
    if function.ir.kind == "module":
        return True
    wrapped = function.ir.decorators or function.ir.is_generator or function.ir.is_async
    return function.ir.kind in ("function", "method") and not wrapped


def _called_name(function: Function) -> str:
    """The name under which a function is called: a constructor under that of its class."""
    owner = function.ir.owner
    return function.ir.name if function.ir.name != "__init__" or owner is None else owner.rpartition(".")[2]


def _mentions(function: ir.Function, name: str, text: str) -> Iterator[ir.Span]:
    """Where a name is read, and where it is given an alias."""
    for expression in reads_anywhere(function):
        for node in ir.walk(expression) if may_mention(text, expression, name) else ():
            match node:
                case ir.Name(id=read) | ir.Attribute(attr=read) if read == name:
                    yield node.span
    for imported in _imports(function):
        if imported.bound != name and imported.target.rpartition(".")[2] == name:
            yield function.span


def _imports(function: ir.Function) -> Iterator[ir.ImportedName]:
    for step in function.steps():
        if isinstance(step, ir.Import):
            yield from step.names


def _is_alike(function: Function, guard: Guard) -> bool:
    """Whether a test has the same outcome on all processes; the code after a loop is reached by all."""
    if guard.branch.kind in ("for", "while") and not guard.truth:
        return True
    return asks_for_program(guard.branch.test) or is_alike(function, guard.block, guard.branch, guard.branch.test)


def _is_of_program(guard: Guard) -> bool:
    return guard.truth and asks_for_program(guard.branch.test)
