"""Statements that start the JAX backend, and calls of ``jax.distributed.initialize``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.dominance import Place, on_every_path, possibly_before, surely_before
from jaxmpi_lint.analysis.lattice.lattice import ClassReference, Compiled, FunctionReference, Named
from jaxmpi_lint.analysis.lattice.limits import BACKEND_START_CALLERS
from jaxmpi_lint.analysis.lattice.recursion import Solved
from jaxmpi_lint.library.jax.processes import INITIALIZATION_STATE, INITIALIZE
from jaxmpi_lint.library.model import Tracing

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})


@dataclass(frozen=True, slots=True)
class Start:
    """A statement that starts the backend; ``inner`` is the line in the callee or imported module that does it."""

    module: ir.Module
    span: ir.Span
    what: str
    inner: Start | None = None


@dataclass(frozen=True, slots=True)
class LateInitialize:
    """A call of ``initialize`` after a start; ``calls`` leads from the function of the start to it."""

    start: Start
    calls: tuple[tuple[ir.Module, ir.Span], ...] = ()


Event = tuple[Place, Start]


class BackendStarts:
    """Must-analysis of backend starts; a function or module that may initialize first does not count."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._starts: dict[tuple[str, str], Start | None] = {}
        self._initializes: dict[tuple[str, str], bool] = {}
        self._events = Solved[tuple[str, str], list[Event]]([])
        self._callers: dict[tuple[str, str], list[tuple[Function, Place, ir.Span]]] | None = None

    # --- initialize called too late ---

    def late(self, function: Function, place: Place, depth: int = 0) -> LateInitialize | None:
        """The start that provably precedes a place: in this function, in its callers, or during an import."""
        if asks_for_state(function):
            return None
        here = self._before(function, place)
        if here is not None:
            return LateInitialize(here)
        if function.ir.kind == "module" or depth >= BACKEND_START_CALLERS:
            return None
        callers = self._calls_of(function)
        for caller, call_place, span in callers if on_every_path(function, place) else ():
            found = self.late(caller, call_place, depth + 1)
            if found is not None:
                return replace(found, calls=(*found.calls, (caller.module, span)))
        if any(asks_for_state(caller) for caller, _, _ in callers):
            return None
        at_import = self._at_import(function.module_model.body)
        return LateInitialize(at_import) if at_import is not None else None

    def _before(self, function: Function, place: Place) -> Start | None:
        for started, start in self._events_of(function):
            if surely_before(function, started, place) and not self._initialized_before(function, started):
                return start
        return None

    def _at_import(self, body: Function) -> Start | None:
        """The start during the import of the module, before it calls a function of the project."""
        calls = [
            place
            for place, bound in _placed_calls(body)
            if isinstance(bound.callee.entity, (FunctionReference, ClassReference, Compiled))
        ]
        for place, start in self._events_of(body):
            if on_every_path(body, place) and all(surely_before(body, place, call) for call in calls):
                return start
        return None

    def _initialized_before(self, function: Function, place: Place) -> bool:
        return any(
            self._may_initialize(bound) and possibly_before(function, other, place)
            for other, bound in _placed_calls(function)
        )

    # --- starts of the backend ---

    def _events_of(self, function: Function) -> list[Event]:
        return self._events.of(function.key, lambda: list(self._search_events(function)))

    def _search_events(self, function: Function) -> Iterator[Event]:
        for place, step in _placed_steps(function):
            start = self._start_of_step(function, step)
            if start is not None:
                yield place, start

    def _start_of_step(self, function: Function, step: ir.Step) -> Start | None:
        match step:
            case ir.Evaluate(expression=ir.Call() as call):
                bound = function.bound(call)
                return self._start_of_call(function, bound) if bound is not None else None
            case ir.Import(names=names):
                return self._start_of_import(function, step, names)
            case ir.Define(qualname=qualname, is_class=True):
                body = function.module.classes[qualname].body
                return self._surely_started_by((function.module.path, body))
        return None

    def _start_of_call(self, function: Function, bound: BoundCall) -> Start | None:
        source = f"`{_short(function.module.source(bound.call.func.span))}`"
        here = (function.module, bound.call.span)
        match bound.callee.entity:
            case Named(dotted) if self._project.catalogue.starts_backend(dotted):
                return Start(*here, source)
            case Compiled(transform, _) if self._is_staged(transform):
                return Start(*here, f"the compiled function {source}")
            case FunctionReference(path, qualname):
                inner = self._surely_started_by((path, qualname))
                return Start(*here, source, inner) if inner is not None else None
            case ClassReference() as reference:
                model = self._project.class_model(reference)
                method = model.method("__init__") if model is not None else None
                inner = self._surely_started_by((method.path, method.qualname)) if method is not None else None
                return Start(*here, source, inner) if inner is not None else None
        return None

    def _is_staged(self, transform: str) -> bool:
        entry = self._project.catalogue.transform(transform)
        return entry is not None and entry.tracing is Tracing.STAGE

    def _start_of_import(self, function: Function, step: ir.Step, names: tuple[ir.ImportedName, ...]) -> Start | None:
        for name in names:
            for path in self._project.files_imported(function.module, name.target):
                inner = self._surely_started_by((path, "<module>"))
                if inner is not None:
                    return Start(function.module, step.span, "the import", inner)
        return None

    def _surely_started_by(self, key: tuple[str, str]) -> Start | None:
        """The first line that starts the backend whenever a function or module runs to its end."""
        if key not in self._starts:
            self._starts[key] = None
            function = self._project.function(*key)
            if function is not None and not (function.ir.is_generator or function.ir.is_async):
                self._starts[key] = self._search_start(function)
        return self._starts[key]

    def _search_start(self, function: Function) -> Start | None:
        if any(self._may_initialize(bound) for bound in function.calls()):
            return None
        for place, start in self._events_of(function):
            if on_every_path(function, place):
                return start
        return None

    # --- initialization ---

    def _may_initialize(self, bound: BoundCall) -> bool:
        if bound.dotted == INITIALIZE:
            return True
        entity = bound.callee.entity
        if not isinstance(entity, FunctionReference):
            return False
        key = (entity.path, entity.qualname)
        if key not in self._initializes:
            self._initializes[key] = False
            function = self._project.function(*key)
            self._initializes[key] = function is not None and any(self._may_initialize(b) for b in function.calls())
        return self._initializes[key]

    def _calls_of(self, function: Function) -> list[tuple[Function, Place, ir.Span]]:
        if self._callers is None:
            self._callers = {}
            for model in self._project.modules():
                for caller in model.functions():
                    if FunctionReference not in caller.calls_by_callee:
                        continue
                    for place, bound in _placed_calls(caller):
                        entity = bound.callee.entity
                        if isinstance(entity, FunctionReference):
                            found = self._callers.setdefault((entity.path, entity.qualname), [])
                            found.append((caller, place, bound.call.span))
        return self._callers.get(function.key, [])


def asks_for_state(function: Function) -> bool:
    """Whether a function queries the state of the backend, shuts it down, or expects the error."""
    for block in function.ir.blocks:
        if isinstance(block.terminator, ir.Branch):
            names = [ir.dotted(node) or "" for node in ir.walk(block.terminator.test)]
            if any(name.endswith(INITIALIZATION_STATE) for name in names):
                return True
        for step in block.steps:
            if isinstance(step, ir.Enter) and _called(step.context) in _EXPECTING:
                return True
            if isinstance(step, ir.Evaluate) and _called(step.expression).endswith("clear_backends"):
                return True
    return False


def initialize_calls(function: Function) -> Iterator[tuple[Place, BoundCall]]:
    """The calls of ``jax.distributed.initialize`` in a function."""
    if not any(bound.dotted == INITIALIZE for bound in function.calls()):
        return
    for place, bound in _placed_calls(function):
        if bound.dotted == INITIALIZE:
            yield place, bound


def _placed_steps(function: Function) -> Iterator[tuple[Place, ir.Step]]:
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is not None:
            for index, step in enumerate(block.steps):
                yield (block.index, index), step


def _placed_calls(function: Function) -> Iterator[tuple[Place, BoundCall]]:
    known, entries = function.flow.calls, function.flow.entries
    for block, index, call in function.ir.placed_calls():
        if entries[block] is not None and (bound := known.get(call.span)) is not None:
            yield (block, index), bound


def _called(expression: ir.Expression) -> str:
    """The last component of the called name, empty for other expressions."""
    if not isinstance(expression, ir.Call):
        return ""
    func = expression.func
    return func.attr if isinstance(func, ir.Attribute) else func.id if isinstance(func, ir.Name) else ""


def _short(text: str) -> str:
    return " ".join(text.split())
