"""Must-analysis: uses of communicators that are freed on every path to the use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import Communicator, Compiled
from jaxmpi_lint.analysis.model.communicator_facades import is_mpi4py_call
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses, call_of
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.model import Operation
from jaxmpi_lint.library.mpi.mpi4py_names import FREES_COMMUNICATOR

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


@dataclass(frozen=True, slots=True)
class Freed:
    """A communicator, the name under which it was freed, and the call."""

    communicator: Communicator
    place: str
    span: ir.Span


@dataclass(frozen=True, slots=True)
class UseAfterFree:
    """A call that uses a freed communicator; ``inside`` is the operation if a called function executes it."""

    module: ir.Module
    call: ir.Call
    freed: Freed
    operation: Operation
    inside: CommunicatorUse | None
    compiled: bool

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.module, self.call.span)

    @property
    def confidence(self) -> Confidence:
        """High: it is freed on every path."""
        return Confidence.HIGH

    @property
    def what(self) -> str:
        """The operation, and the call that executes it."""
        operation = f"`{self.operation.method}`"
        called = self.module.source(self.call.func.span)
        return operation if self.inside is None else f"`{called}` runs {operation}"

    def steps(self) -> Iterator[Step]:
        """Where it was freed, and where a called function uses it."""
        yield Step(self.module, self.freed.span, f"`{self.freed.place}` is freed here")
        if self.inside is not None:
            holder = (
                "the compiled program contains the freed handle" if self.compiled else "uses the freed communicator"
            )
            yield Step(self.inside.module, self.inside.span, holder)


def uses_after_free(function: Function) -> list[UseAfterFree]:
    """Each call in a function that uses a communicator freed on every path to the call."""
    return FreedCommunicators(function, function.project.get(CommunicatorUses)).found()


_State = dict[str, Freed]


class FreedCommunicators:
    """The uses of freed communicators in one function."""

    def __init__(self, function: Function, uses: CommunicatorUses) -> None:
        self.function = function
        self.uses = uses
        self._entries: dict[int, _State] = {0: {}}

    def found(self) -> list[UseAfterFree]:
        """One for each call, in order."""
        if not any(_frees(bound) for bound in self.function.operation_calls):
            return []
        self._solve()
        found: dict[ir.Span, UseAfterFree] = {}
        for index, entry in sorted(self._entries.items()):
            state = dict(entry)
            for use in self._pass(index, state):
                found.setdefault(use.call.span, use)
        return [found[span] for span in sorted(found)]

    def _solve(self) -> None:
        pending = [0]
        while pending:
            index = pending.pop(0)
            block = self.function.ir.blocks[index]
            state = dict(self._entries[index])
            for _ in self._pass(index, state):
                pass
            both = _common(self._entries[index], state)
            for target, arriving in [(t, state) for t in block.successors] + [(h, both) for h in block.handlers]:
                known = self._entries.get(target)
                joined = dict(arriving) if known is None else _common(known, arriving)
                if joined != known:
                    self._entries[target] = joined
                    pending.append(target)

    def _pass(self, index: int, state: _State) -> Iterator[UseAfterFree]:
        function = self.function
        if function.flow.entries[index] is None:
            return
        env: Environment = dict(function.flow.entries[index] or {})
        function.evaluator.calls.forget()
        for step in function.ir.blocks[index].steps:
            bound = call_of(function, step)
            if bound is not None:
                yield from self._call(bound, env, state)
            elif isinstance(step, ir.Assign):
                _rebind({ir.dotted(node) for target in step.targets for node in ir.walk(target)}, state)
            function.flow.step(step, env)

    def _call(self, bound: BoundCall, env: Environment, state: _State) -> Iterator[UseAfterFree]:
        uses = self.uses.of_call(self.function, bound, env)
        for use in uses:
            freed = state.get(use.communicator.context)
            if freed is not None and self._is_the_same(freed, bound, use):
                module, compiled = self.function.module, isinstance(bound.callee.entity, Compiled)
                inside = None if use.span == bound.call.span and use.module is module else use
                yield UseAfterFree(module, bound.call, freed, use.operation, inside, compiled)
                break
        for use in uses:  # a constructor creates a new communicator at the same place
            state.pop(f"{use.module.path}@{use.span[0]}", None)
        own = self.function.self_name
        if own is not None and (ir.dotted(bound.call.func) or "").startswith(f"{own}.") and not bound.operations:
            for context in [c for c, freed in state.items() if freed.place.startswith(f"{own}.")]:
                del state[context]
        if _frees(bound) and is_mpi4py_call(self.function.project, bound):
            self._free(bound, state)

    def _free(self, bound: BoundCall, state: _State) -> None:
        communicator = bound.communicator
        place = ir.dotted(bound.call.func.value) if isinstance(bound.call.func, ir.Attribute) else None
        if communicator is not None and place is not None and not communicator.is_one_of_several:
            state[communicator.context] = Freed(communicator, place, bound.call.span)

    def _is_the_same(self, freed: Freed, bound: BoundCall, use: CommunicatorUse) -> bool:
        """Whether both are one object; a line of a function creates a different communicator in each call."""
        if self._is_made_once(freed.communicator):
            return True
        return freed.place in (self._place_of_receiver(bound), *self._places_of_arguments(bound))

    def _is_made_once(self, communicator: Communicator) -> bool:
        path, at, offset = communicator.context.rpartition("@")
        if not at or not offset.isdigit():
            return False
        model = self.function.project.module(path)
        if model is None:
            return False
        around = [f for f in model.ir.functions.values() if f.span[0] <= int(offset) < f.span[1]]
        inner = min(around, key=lambda f: f.span[1] - f.span[0], default=model.ir.body)
        return inner.kind == "module" or inner is self.function.ir

    @staticmethod
    def _place_of_receiver(bound: BoundCall) -> str | None:
        return ir.dotted(bound.call.func.value) if isinstance(bound.call.func, ir.Attribute) else None

    @staticmethod
    def _places_of_arguments(bound: BoundCall) -> list[str]:
        return [place for argument in bound.call.args if (place := ir.dotted(argument.value)) is not None]


def _frees(bound: BoundCall) -> bool:
    return bound.operation is not None and bound.operation.name in FREES_COMMUNICATOR


def _common(a: _State, b: _State) -> _State:
    return {context: freed for context, freed in a.items() if context in b}


def _rebind(places: set[str | None], state: _State) -> None:
    for context in [c for c, freed in state.items() if freed.place in places]:
        del state[context]
