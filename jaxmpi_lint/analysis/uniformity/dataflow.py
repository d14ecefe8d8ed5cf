"""Forward data flow through one function: the abstract value of every name at the entry of every block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import place_of, place_of_entry
from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    ClassReference,
    Container,
    FunctionReference,
    Literal,
    Record,
    ResultOf,
    Uniformity,
    Value,
)
from jaxmpi_lint.analysis.lattice.limits import DATA_FLOW_VISITS
from jaxmpi_lint.analysis.lattice.shape_queries import part_of
from jaxmpi_lint.analysis.lattice.taint import Taint
from jaxmpi_lint.analysis.tracing.traced_functions import decorated
from jaxmpi_lint.analysis.uniformity.branch_joins import BranchJoins
from jaxmpi_lint.analysis.uniformity.changes_by_calls import equalised, unknown_contents
from jaxmpi_lint.analysis.uniformity.chosen_returns import returned
from jaxmpi_lint.analysis.uniformity.communicator_handles import created_in_place
from jaxmpi_lint.analysis.uniformity.container_mutation import FILLING, holds_elements, is_whole
from jaxmpi_lint.analysis.uniformity.container_values import with_entry
from jaxmpi_lint.analysis.uniformity.fallbacks import Fallbacks
from jaxmpi_lint.analysis.uniformity.narrowing import narrowed
from jaxmpi_lint.analysis.uniformity.slice_lengths import cut_off, extended, levelled, padding_of
from jaxmpi_lint.analysis.uniformity.truth_of_texts import tested
from jaxmpi_lint.library.levels import Level, Source
from jaxmpi_lint.library.model import Kind, Result

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator, Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment


class Dataflow:
    """The fixpoint of one function, and the resulting values of names, fields and results."""

    def __init__(self, function: Function, evaluator: ExpressionEvaluator) -> None:
        self.function = function
        self.blocks = function.ir.blocks
        self.evaluator = evaluator
        self.entries: list[Environment | None] = [None] * len(self.blocks)
        self.calls: dict[ir.Span, BoundCall] = {}
        self._results: dict[ir.Span, Value] = {}
        self._fallbacks = Fallbacks(function)
        self._padding = padding_of(function)
        self._settled = False  # a further visit of the steps then finds the calls resolved
        self.tests: dict[int, Value] = {}
        self.returns: Value | None = None
        self.exit: Environment = {}
        self.field_writes: dict[str, Value] = {}
        self.chosen_fields: dict[str, Value] = {}
        self.global_writes: dict[str, Value] = {}
        self._joins = BranchJoins(self)
        self._walks: dict[int, _Walk] = {}
        self._run()

    def _run(self) -> None:
        if self.function.ir.is_too_large:
            self.returns = NOTHING
            return
        self._iterate()
        for _ in range(3):
            if not self._joins.find():
                break
            self.entries = [None] * len(self.blocks)
            self._iterate()
        self._collect()

    def _iterate(self) -> None:
        self.entries[0] = self.function.initial_environment()
        pending, visits = [0], [0] * len(self.blocks)
        while pending:
            index = min(pending)
            pending.remove(index)
            visits[index] += 1
            if visits[index] > DATA_FLOW_VISITS:
                self._walk(index)
                continue
            for target, env in self._leave(index):
                if self._merge(target, env) and target not in pending:
                    pending.append(target)

    def _leave(self, index: int) -> Iterator[tuple[int, Environment]]:
        block = self.blocks[index]
        for handler in block.handlers:
            yield handler, self.entries[index] or {}
        env = self._walk(index)
        for handler in block.handlers:
            yield handler, env
        if isinstance(block.terminator, ir.Branch):
            test, outcome = block.terminator.test, self.function.constants.decided(block.terminator.test)
            possible = block.successors
            if outcome is not False and block.terminator.when_true in possible:
                yield block.terminator.when_true, narrowed(self.evaluator, test, True, env)
            if outcome is not True and block.terminator.when_false in possible:
                yield block.terminator.when_false, narrowed(self.evaluator, test, False, env)
            return
        for target in block.successors:
            yield target, env

    def _walk(self, index: int) -> Environment:
        """Visit the steps of a block; the result of the last visit is the valid one."""
        block, env = self.blocks[index], dict(self.entries[index] or {})
        self.evaluator.calls.forget()
        writes: list[_Write] = []
        outlives = self.function.self_name is not None or bool(self.function.ir.globals)
        for step in block.steps:
            self.step(step, env)
            if outlives and isinstance(step, ir.Assign):
                writes += self._writes(step, env)
        returned: Value | None = None
        match block.terminator:
            case ir.Branch(test=test) as branch:
                self.tests[index] = tested(self, index, test, env)
                for place in self._padding.around(branch):
                    self._pad(place, env)
            case ir.Return(value=ir.Expression() as value):
                returned = self.evaluator.value(value, env)
        self._walks[index] = _Walk(env, writes, returned)
        return env

    def _merge(self, target: int, env: Environment) -> bool:
        known = self.entries[target]
        taints = self._joins.taints.get(target, {})
        if known is None:
            fresh = dict(env)
            for name, taint in taints.items():
                self._bring_in(name, taint, fresh)
                if name in fresh:
                    fresh[name] = taint.on(fresh[name])
            self.entries[target] = fresh
            return True
        changed = False
        for name, taint in taints.items():
            self._bring_in(name, taint, env)
        for name, value in env.items():
            old = known.get(name)
            if old is value:
                continue
            if old is None:
                known[name] = value
                changed = True
            else:
                new = old.join(value)
                if name in taints:
                    new = taints[name].on(new)
                if new is not old and new != old:
                    known[name] = new
                    changed = True
        return changed

    def _bring_in(self, name: str, taint: Taint, env: Environment) -> None:
        """Hold an object that is changed in place, which the function did not assign itself."""
        if taint.place is not None and name not in env:
            self._hold_path(name, self.evaluator.value(taint.place, env), env)

    # --- steps ---

    def step(self, step: ir.Step, env: Environment) -> None:
        """The effect of one step on the environment."""
        match step:
            case ir.Evaluate(expression=ir.Call() as call):
                self._call(call, env)
            case ir.Assign(targets=targets, value=value, annotation=annotation):
                held = self.evaluator.value(value, env) if value is not None else NOTHING
                held = self._fallbacks.seen(step.span, ir.dotted(targets[0]) or "", held)
                if self.function.module_model.is_declared_uniform(step.span):
                    held = Value(held.entity, UNIFORM, UNIFORM, UNIFORM, held.elements)
                if annotation is not None:
                    held = self.function.annotated(held, annotation)
                if value is not None or annotation is not None:
                    for target in targets:
                        self._assign(target, held, env, value)
            case ir.AugmentedAssign(target=target, value=value):
                parts = [self.evaluator.value(target, env), self.evaluator.value(value, env)]
                sum_ = extended(parts[0], self.evaluator.joined(parts), parts[1])
                self._assign(target, levelled(sum_) if self._padding.adds(step) else sum_, env)
            case ir.Import(names=names):
                self._import(names, step.span, env)
            case ir.Define(name=name, qualname=qualname, is_class=is_class):
                path = self.function.module.path
                entity = ClassReference(path, qualname) if is_class else FunctionReference(path, qualname)
                env[name] = decorated(self.function, Value.uniform(entity), env)
            case ir.Delete(targets=targets):
                for target in targets:
                    self._pad(cut_off(self.evaluator, target, env), env)
                    path_text = ir.dotted(target)
                    if path_text is not None:
                        env.pop(path_text, None)

    def _import(self, names: tuple[ir.ImportedName, ...], span: ir.Span, env: Environment) -> None:
        for name in names:
            if name.bound != "*":
                found = self.function.project.imported(self.function.module, name.target)
                env[name.bound] = self._fallbacks.seen(span, name.bound, found)

    def _assign(
        self, target: ir.Expression, value: Value, env: Environment, made_by: ir.Expression | None = None
    ) -> None:
        match target:
            case ir.Name(id=name):
                self._forget_below(name, env)
                env[name] = self.function.held_by(target, value.called(name), made_by)
            case ir.Attribute():
                path = ir.dotted(target)
                if path is not None:
                    self._forget_below(path, env)
                    self._hold_path(path, value, env)
            case ir.Subscript(value=base, index=index):
                if not self._assign_entry(target, value, env):
                    self._mutate(base, value, env, is_whole(index))
            case ir.Starred(value=inner):
                self._assign(inner, Value(None, value.content), env)
            case ir.Collection(elements=elements):
                self._unpack(elements, value, env)

    def _hold_path(self, path: str, value: Value, env: Environment) -> None:
        if "." in path:
            self.evaluator.held_roots.add(path.partition(".")[0])
        env[path] = value

    def _forget_below(self, path: str, env: Environment, separator: str = ".") -> None:
        if path.partition(".")[0] not in self.evaluator.held_roots:
            return
        prefix = path + separator
        for key in [key for key in env if key.startswith(prefix)]:
            del env[key]

    def _unpack(self, elements: tuple[ir.Expression, ...], value: Value, env: Environment) -> None:
        known = value.elements
        exact = known is not None and len(known) == len(elements)
        for index, element in enumerate(elements):
            part = known[index] if exact and known is not None else part_of(value, index)
            self._assign(element, part, env)

    def _assign_entry(self, target: ir.Subscript, value: Value, env: Environment) -> bool:
        """``record["key"] = value``: the other entries keep their values."""
        path, key = ir.dotted(target.value), self.evaluator.value(target.index, env).entity
        if path is None:
            return False
        known = self.evaluator.value(target.value, env)
        held = with_entry(known, key.value, value) if isinstance(key, Literal) else None
        place = path if held is not None else place_of_entry(target)
        if place is not None:
            self._hold_path(place, value if held is None else held, env)
        return place is not None

    def _mutate(self, base: ir.Expression, value: Value, env: Environment, whole: bool = False) -> None:
        """An element of a container is written: the container is at most as uniform as the element."""
        path = ir.dotted(base)
        if path is None:
            return
        old = self.evaluator.value(base, env)
        if whole and old.content.level.diverges:
            self._hold_path(path, replace(old, content=value.content, elements=None), env)
            return
        if value.content.level.diverges or old.elements is not None:
            self._hold_path(path, replace(old, content=old.content.join(value.content), elements=None), env)

    def _fill(self, method: ir.Attribute, value: Value, env: Environment) -> None:
        """A method that may add a value to a container; the cheap tests come first."""
        changes = value.content.level.diverges or self.evaluator.value(method.value, env).elements is not None
        if changes and holds_elements(self.function, method.value):
            self._mutate(method.value, value, env)

    def _call(self, call: ir.Call, env: Environment) -> None:
        if self._settled and call.span in self._results:
            bound = self.calls[call.span]
            self.evaluator.calls.recall(call.span, self._results[call.span])
        else:
            bound = self.calls[call.span] = self.evaluator.calls.bind(call, env)
            self._results[call.span] = self.evaluator.calls.remember(bound, env)
        if bound.operations:
            self._operation(bound, env)
            return
        for place in equalised(self.function, bound, env):
            self._hold_path(place, unknown_contents(env[place]), env)
        if isinstance(call.func, ir.Attribute) and call.func.attr in FILLING:
            self._forget_below(f"{ir.dotted(call.func.value)}.[", env, "")
            for argument in call.args:
                self._fill(call.func, self.evaluator.value(argument.value, env), env)
            self._pad(self._padding.extended(call), env)

    def _pad(self, place: str | None, env: Environment) -> None:
        """A list gets a length that may be equal on all processes."""
        if place is not None and place in env:
            self._hold_path(place, levelled(env[place]), env)

    def _operation(self, bound: BoundCall, env: Environment) -> None:
        operation = bound.known_operation
        module, span = self.function.module, bound.call.span
        for place, created in created_in_place(bound, module.path):
            self._hold_path(place, Value(created), env)
        if operation.result is Result.SAME and operation.root is not None:
            for (
                parameter
            ) in operation.sends:  # the root continues with the value it sent, the others with the one they received
                argument = bound.argument(parameter)
                if argument is not None and not self._keeps_rank(bound.call, argument, env):
                    self._hold(argument, ResultOf(operation.name, module.path, span), UNIFORM, env)
        if operation.buffer and operation.received is not Result.NONE:
            content = UNIFORM if operation.received is Result.SAME else UNKNOWN
            if operation.received is Result.OWN:
                source = Source.SHARE if operation.kind is Kind.COLLECTIVE else None
                groups = bound.communicator.rank_groups() if bound.communicator is not None else frozenset[str]()
                local = Uniformity(Level.LOCAL, groups)
                content = local.because(module, span, "each process receives different data", source)
            for parameter in operation.receives:
                self._hold(bound.argument(parameter), ResultOf(operation.name, module.path, span), content, env)

    def _keeps_rank(self, call: ir.Call, argument: ir.Expression, env: Environment) -> bool:
        """Whether the sent value depends on the rank and the result is assigned elsewhere: the name still holds the
        rank.
        """
        if self.evaluator.value(argument, env).content.level is not Level.RANK:
            return False
        targets = self._targets.get(call.span)
        return targets is not None and ir.dotted(argument) not in targets

    @cached_property
    def _targets(self) -> dict[ir.Span, set[str | None]]:
        """The names to which results of calls are assigned."""
        return {
            step.value.span: {ir.dotted(target) for target in step.targets}
            for block in self.blocks
            for step in block.steps
            if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call)
        }

    def _hold(self, argument: ir.Expression | None, entity: ResultOf, content: Uniformity, env: Environment) -> None:
        if isinstance(argument, ir.Collection) and argument.elements:
            argument = argument.elements[0]
        if isinstance(argument, ir.Subscript):
            place = place_of_entry(argument)
            if place not in env:
                place = place_of(argument)
            if place in env:
                self._hold_path(place, unknown_contents(env[place]), env)
        path = ir.dotted(argument) if argument is not None else None
        if path is not None and argument is not None:
            old = self.evaluator.value(argument, env)
            known = old.entity if not isinstance(old.entity, (Container, Record)) else None
            held = replace(old, entity=known or entity, content=content, noneness=UNKNOWN)
            self._hold_path(path, held, env)

    # --- queries ---

    def environment_before(self, block: int, step: ir.Step | None) -> Environment:
        """The values of names immediately before a step of a block, or at its end."""
        env = dict(self.entries[block] or {})
        self.evaluator.calls.forget()
        for candidate in self.blocks[block].steps:
            if candidate is step:
                break
            self.step(candidate, env)
        return env

    def _collect(self) -> None:
        ends: dict[int, Value | None] = {}
        for index, walk in sorted(self._walks.items()):
            for table, name, value in walk.writes:
                self._note(table, name, value)
            if isinstance(self.blocks[index].terminator, ir.Return):
                for name, held in walk.end.items() if self.exit else ():
                    self._note(self.exit, name, held)
                self.exit = self.exit or dict(walk.end)
                ends[index] = walk.returned
        self.chosen_fields = dict(self._fields_chosen())
        self.returns = returned(self, ends)
        self._walks.clear()
        self._settled = True

    def _writes(self, step: ir.Assign, env: Environment) -> Iterator[_Write]:
        own = self.function.self_name
        for target in step.targets:
            is_local = isinstance(target, ir.Name) and target.id not in self.function.ir.globals
            for node in ir.walk(target) if not is_local else ():
                path = ir.dotted(node)
                if path is None or path not in env:
                    continue
                if own is not None and path.startswith(own + ".") and path.count(".") == 1:
                    yield self.field_writes, path.partition(".")[2], env[path]
                elif path in self.function.ir.globals:
                    yield self.global_writes, path, env[path]

    def _fields_chosen(self) -> Iterator[tuple[str, Value]]:
        """The fields that some processes assign, or assign differently, and that still differ at the end."""
        own = self.function.self_name
        for path in sorted({path for taints in self._joins.taints.values() for path in taints}):
            held = self.exit.get(path, NOTHING)
            if own is not None and path.startswith(f"{own}.") and path.count(".") == 1 and held.content.level.diverges:
                yield path.partition(".")[2], held

    @staticmethod
    def _note(table: dict[str, Value], name: str, value: Value) -> None:
        table[name] = table[name].join(value) if name in table else value


_Write = tuple[dict[str, Value], str, Value]


@dataclass(slots=True)
class _Walk:
    """The effects of the steps of a block: names at its end, fields and globals written, the returned value."""

    end: Environment
    writes: list[_Write]
    returned: Value | None
