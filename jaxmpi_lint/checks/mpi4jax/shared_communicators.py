"""Communicators on which mpi4py communicates while an mpi4jax operation may still be in flight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.configuration_choices import choices, exclude
from jaxmpi_lint.analysis.uniformity.communicator_usage import CommunicatorUse, CommunicatorUses, call_of
from jaxmpi_lint.checks.mpi4jax.needed_values import NeededValues
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step
from jaxmpi_lint.library.model import COLLECTIVE_KINDS, COMMUNICATING, POINT_TO_POINT_KINDS, Operation

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_ON_A_DUPLICATE = frozenset(
    f"mpi4py.MPI.{name}" for name in ("Comm.reduce", "Comm.allreduce", "Intracomm.scan", "Intracomm.exscan")
)
"""Pickle-based reductions, which mpi4py implements with messages on a private duplicate of the communicator."""

_State = dict[tuple[str, str, ir.Span], CommunicatorUse]
"""mpi4jax operations that may be in flight, by communicator and place."""


@dataclass(frozen=True, slots=True)
class Race:
    """An mpi4jax operation and the mpi4py call that may overtake it, or be overtaken by it."""

    arrays: CommunicatorUse
    objects: CommunicatorUse

    @property
    def key(self) -> tuple[str, str]:
        """The file of the mpi4jax operation and the communicator: there is one finding for each."""
        return self.arrays.module.path, self.arrays.communicator.context


@dataclass(frozen=True, slots=True)
class SharedCommunicator:
    """A communicator that both libraries use in one file, and the first race on it."""

    module: Module
    race: Race

    @property
    def place(self) -> Place:
        """The first mpi4jax operation."""
        return Place(self.race.arrays.module, self.race.arrays.span)

    @property
    def confidence(self) -> Confidence:
        """High: nothing between the two waits."""
        return Confidence.HIGH

    def steps(self) -> Iterator[Step]:
        """Both calls."""
        arrays, objects = self.race.arrays, self.race.objects
        yield Step(arrays.module, arrays.span, "runs asynchronously, when JAX executes it")
        yield Step(objects.module, objects.span, "runs immediately, on the same communicator")


def shared_communicators(project: Program) -> Iterator[SharedCommunicator]:
    """One for each communicator of a reported file."""
    if not project.mentions(("mpi4jax",)):
        return
    reported = {module.ir.path: module for module in project.reported_modules()}
    for (path, _), race in sorted(_first_races(project).items(), key=lambda item: item[0]):
        if path in reported:
            yield SharedCommunicator(reported[path], race)


def _first_races(project: Program) -> dict[tuple[str, str], Race]:
    """The first race of each file and communicator."""
    uses = project.get(CommunicatorUses)
    first: dict[tuple[str, str], Race] = {}
    for module in project.modules():
        for function in module.functions():
            for race in SharedCommunicators(function, uses).races():
                known = first.get(race.key)
                if known is None or race.arrays.span < known.arrays.span:
                    first[race.key] = race
    return first


class SharedCommunicators:
    """The races in one function: paths from mpi4jax to mpi4py on which nothing waits for arrays."""

    def __init__(self, function: Function, uses: CommunicatorUses) -> None:
        self.function = function
        self.uses = uses
        self._entries: dict[int, _State] = {0: {}}
        self._needed = NeededValues(function, frozenset())

    def races(self) -> Iterator[Race]:
        """Every pair, in block order."""
        libraries = {use.operation.library for use in self.uses.of_function(self.function)}
        if not {"mpi4jax", "mpi4py"} <= libraries:
            return
        self._needed = NeededValues(self.function, self._launches())
        pending = [0]
        while pending:
            index = pending.pop(0)
            state = dict(self._entries[index])
            for _ in self._pass(index, state):
                pass
            if self._needed.by_test(self.function.ir.blocks[index]):
                state.clear()
            for target in self.function.ir.blocks[index].successors:
                known = self._entries.get(target)
                joined = state if known is None else {**state, **known}
                if known is None or joined.keys() != known.keys():
                    self._entries[target] = dict(joined)
                    pending.append(target)
        for index, entry in sorted(self._entries.items()):
            yield from self._pass(index, dict(entry))

    def _launches(self) -> frozenset[ir.Span]:
        """The calls that run an mpi4jax operation."""
        launches: set[ir.Span] = set()
        for _, step, env in self.function.steps():
            bound = call_of(self.function, step)
            uses = self.uses.of_call(self.function, bound, env) if bound is not None else ()
            if bound is not None and any(use.operation.library == "mpi4jax" for use in uses):
                launches.add(bound.call.span)
        return frozenset(launches)

    def _pass(self, index: int, state: _State) -> Iterator[Race]:
        function = self.function
        if function.flow.entries[index] is None:
            return
        env: Environment = dict(function.flow.entries[index] or {})
        function.evaluator.calls.forget()
        for step in function.ir.blocks[index].steps:
            bound = call_of(function, step)
            if self._needed.by_step(step):
                state.clear()
            if bound is not None:
                own = choices(function, index)
                uses = [replace(use, chosen=use.chosen | own) for use in self.uses.of_call(function, bound, env)]
                for use in uses:
                    if is_exposed(use.operation):
                        yield from (Race(arrays, use) for arrays in state.values() if _meet(arrays, use))
                if self.uses.waits(function, bound) or self._needed.by_call(bound):
                    state.clear()
                else:
                    for use in uses:
                        if use.operation.library == "mpi4jax":
                            state.setdefault((use.communicator.context, use.module.path, use.span), use)
            function.flow.step(step, env)


def _meet(arrays: CommunicatorUse, objects: CommunicatorUse) -> bool:
    """Whether both use one communicator and may be matched, on a path that leads to both."""
    same = arrays.communicator.context == objects.communicator.context
    return same and _may_match(arrays.operation, objects.operation) and not exclude(arrays.chosen, objects.chosen)


def _may_match(one: Operation, other: Operation) -> bool:
    """Whether MPI may match a part of one with a part of the other; it never matches messages with collectives."""
    return any({one.kind, other.kind} <= kinds for kinds in (COLLECTIVE_KINDS, POINT_TO_POINT_KINDS))


def is_exposed(operation: Operation) -> bool:
    """Whether an mpi4py call sends or receives messages on the communicator itself."""
    return operation.library == "mpi4py" and operation.kind in COMMUNICATING and operation.name not in _ON_A_DUPLICATE


def clone(shared: SharedCommunicator) -> Repair | None:
    """The fix: pass a clone to the mpi4jax operations in the file."""
    edits = _edits(shared)
    return Repair(Applicability.UNSAFE, "create a clone for mpi4jax", edits) if edits else None


def _edits(shared: SharedCommunicator) -> tuple[tuple[ir.Span, str], ...]:
    calls: dict[ir.Span, ir.Call] = {}
    names: set[str | None] = set()
    for function in shared.module.functions():
        for bound in function.calls():
            if bound.operation is None or bound.operation.library != "mpi4jax" or bound.communicator is None:
                continue
            if bound.communicator.context == shared.race.arrays.communicator.context:
                calls[bound.call.span] = bound.call
                argument = bound.argument("comm")
                names.add(ir.dotted(argument) if argument is not None else None)
    name = next(iter(names)) if len(names) == 1 else None
    return _clone_edits(shared.module.ir, list(calls.values()), name) if name is not None else ()


def _clone_edits(module: ir.Module, calls: list[ir.Call], name: str) -> tuple[tuple[ir.Span, str], ...]:
    """A clone after the assignment of a module-level communicator, passed to each of the calls instead of it."""
    from jaxmpi_lint.rewrite.source_edits import alone_on_line, indentation, line_ending

    made = [
        step
        for step in module.body.steps()
        if isinstance(step, ir.Assign) and any(ir.dotted(target) == name for target in step.targets)
    ]
    clone = f"{name}_mpi4jax"
    if len(made) != 1 or not alone_on_line(module, made[0].span) or clone in module.text or "." in name:
        return ()
    arguments = [arg for call in calls for arg in call.args if arg.keyword == "comm" and ir.dotted(arg.value) == name]
    if len(arguments) != len(calls):
        return ()
    end = made[0].span[1]
    line = f"{line_ending(module)}{indentation(module, made[0].span)}{clone} = {name}.Clone()"
    return (((end, end), line), *((argument.value.span, clone) for argument in arguments))
