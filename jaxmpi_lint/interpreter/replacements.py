"""Values that one side of a test of the rank replaces: names, fields and entries that the other side leaves alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.conditions.one_rank import Member, OneRank
from jaxmpi_lint.analysis.lattice.lattice import UNIFORM, RankOf, SizeOf
from jaxmpi_lint.interpreter.changed_fields import changed_fields, reads
from jaxmpi_lint.interpreter.marked_values import UNSET, ZEROS
from jaxmpi_lint.library.levels import Level, Source

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program
    from jaxmpi_lint.analysis.lattice.lattice import Environment, Value

_OWN = frozenset({Source.CLOCK, Source.FILES, Source.LISTING, Source.RANDOM, Source.CACHE})
_NEW_MEMORY = {
    **dict.fromkeys(("numpy.empty", "numpy.empty_like", "numpy.ndarray"), UNSET),
    **dict.fromkeys(("numpy.zeros", "numpy.zeros_like"), ZEROS),
}
_SHOWS = frozenset({"print", "info", "debug", "log", "warning", "write"})
MANY = 4
"""The number of ranks with which the sides of a branch are counted."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A place that the side ``outcome`` of a branch replaces, by the step at ``span``.

    ``in_place``: the object itself is changed. ``is_own``: one process alone can know the new value, by a file, a
    random number or a collective with a root; other values may be meant for that rank, such as that of a border.
    ``is_result`` if it comes from such a collective, ``has_default`` if the other side then assigns a constant, and
    ``other_memory``: the new memory that the other side assigns, `UNSET` or `ZEROS`, where this side may keep what was
    there; ``memory``: the one that this side assigns.
    ``is_told``: the rank prints the new value, which is neither a constant nor a share of something.
    ``of_entries``: some entries of a dict or fields of an object, whose names are not in the text.
    """

    place: ir.Expression
    outcome: bool
    span: ir.Span
    in_place: bool
    is_own: bool
    is_result: bool = False
    is_told: bool = False
    has_default: bool = False
    memory: str = ""
    other_memory: str = ""
    is_constant: bool = False
    of_entries: bool = False


class Replacements:
    """The replacements of a program, by file and function, then by block; ``project.get(Replacements)``."""

    def __init__(self, project: Program) -> None:
        self._project = project
        self._known: dict[tuple[str, str], dict[int, tuple[Replacement, ...]]] = {}
        self._defaults: dict[tuple[str, str], dict[ir.Span, ir.Expression]] = {}
        self._memories: dict[tuple[str, str], frozenset[ir.Span]] = {}

    def of(self, path: str, qualname: str) -> dict[int, tuple[Replacement, ...]]:
        """Those of one function."""
        key = path, qualname
        if key not in self._known:
            function = self._project.function(path, qualname)
            self._known[key] = {} if function is None or function.ir.is_too_large else dict(_of_function(function))
        return self._known[key]

    def defaults(self, path: str, qualname: str) -> dict[ir.Span, ir.Expression]:
        """The conditional expressions that ask whether a rank has the result of a collective with a root."""
        key = path, qualname
        if key not in self._defaults:
            function = self._project.function(path, qualname)
            self._defaults[key] = {} if function is None or function.ir.is_too_large else dict(_defaults(function))
        return self._defaults[key]

    def memories(self, path: str, qualname: str) -> frozenset[ir.Span]:
        """The conditional expressions that are new memory on some ranks, and a value on the others."""
        key = path, qualname
        if key not in self._memories:
            function = self._project.function(path, qualname)
            is_known = function is not None and not function.ir.is_too_large
            self._memories[key] = frozenset(_memories(function)) if is_known and function is not None else frozenset()
        return self._memories[key]

    def meeting(self, path: str, qualname: str, block: int) -> tuple[int, list[ir.Name]]:
        """Where the sides of a branch meet, and the names that they assign."""
        function = self._project.function(path, qualname)
        if function is None:
            return -1, []
        join, sides = _sides(function, block)
        steps = [step for side in sides.values() for index in side for step in function.ir.blocks[index].steps]
        return join, [name for step in steps for name in _names(step)]


def _defaults(function: Function) -> Iterator[tuple[ir.Span, ir.Expression]]:
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None:
            continue
        read = [one for step in block.steps for one in expressions_read(step)] + list(terminator_expressions(block))
        kinds = (ir.Conditional, ir.BooleanOperation)
        nodes = [node for one in read for node in ir.walk(one) if isinstance(node, kinds)]
        env = function.flow.environment_before(block.index, None) if nodes else {}
        for node in nodes:
            tested = _tested(node.test) if isinstance(node, ir.Conditional) else _first(node)
            if tested is not None and function.value(tested, env).noneness.level is Level.RANK:
                yield node.span, tested


def _memories(function: Function) -> Iterator[ir.Span]:
    for block in function.ir.blocks:
        if function.flow.entries[block.index] is None:
            continue
        nodes = (node for step in block.steps for one in expressions_read(step) for node in ir.walk(one))
        for node in nodes:
            match node:
                case ir.Conditional(body=body, orelse=orelse):
                    kinds = {_memory(function, body), _memory(function, orelse)}
                    env = function.flow.environment_before(block.index, None) if kinds == {UNSET, ""} else {}
                    if env and function.value(node.test, env).content.level is Level.RANK:
                        yield node.span


def _first(node: ir.BooleanOperation) -> ir.Expression | None:
    """The value for which ``or`` has a default."""
    return node.operands[0] if node.operator == "or" and len(node.operands) == 2 else None


def _tested(test: ir.Expression) -> ir.Expression:
    match test:
        case ir.Comparison(operands=(tested, ir.Constant(value=None)), operators=("is" | "is not",)):
            return tested
    return test


def _of_function(function: Function) -> Iterator[tuple[int, tuple[Replacement, ...]]]:
    for block, branch, test in function.branches():
        if branch.kind in ("if", "and") and test.content.level is Level.RANK and not test.content.overruled:
            chosen = {outcome for outcome in (True, False) if _may_be_one_rank(function, block.index, branch, outcome)}
            found = tuple(one for one in _of_branch(function, block.index) if one.outcome in chosen)
            if found:
                yield block.index, found


def _may_be_one_rank(function: Function, block: int, branch: ir.Branch, outcome: bool) -> bool:
    """Whether one rank may take a side of a branch: several ranks that replace a value have their own ones."""
    groups = function.flow.tests[block].content.groups
    env = function.flow.environment_before(block, None)
    if any(_takes_turns(function, node, env) for node in ir.walk(branch.test)):
        return False
    ranks = [OneRank(Member(rank, MANY, groups)).decide(function, branch.test, env) for rank in range(MANY)]
    return None in ranks or ranks.count(outcome) <= 1


def _takes_turns(function: Function, test: ir.Expression, env: Environment) -> bool:
    """Whether each rank has its turn: ``number % size == rank``."""
    match test:
        case ir.Comparison(operands=(left, right), operators=("==" | "!=",)):
            for remainder, rank in ((left, right), (right, left)):
                if isinstance(remainder, ir.BinaryOperation) and remainder.operator == "%":
                    size = function.value(remainder.right, env).entity
                    if isinstance(size, SizeOf) and isinstance(function.value(rank, env).entity, RankOf):
                        return True
    return False


def _sides(function: Function, block: int) -> tuple[int, dict[bool, frozenset[int]]]:
    graph, branch = function.graph, function.ir.blocks[block].terminator
    join = graph.immediate_postdominator(block)
    ways = {True: branch.when_true, False: branch.when_false} if isinstance(branch, ir.Branch) else {}
    inside = {way: frozenset(graph.reachable(start, join) - {block}) for way, start in ways.items()}
    return join, {way: side & frozenset(range(len(function.ir.blocks))) for way, side in inside.items()}


def _of_branch(function: Function, block: int) -> Iterator[Replacement]:
    sides = _sides(function, block)[1]
    for outcome, side in sides.items():
        before = function.flow.environment_before(block, None)
        others = {ir.dotted(one.place): one for one in _replaced(function, sides[not outcome], not outcome, before)}
        made: dict[tuple[str | None, object], Replacement] = {}
        for one in _replaced(function, side, outcome, before):
            known = made.get((ir.dotted(one.place), _key(one.place)))
            if known is None or not known.is_own:
                made[(ir.dotted(one.place), _key(one.place))] = one
        for (path, _), one in made.items():
            if path not in others:
                yield one
            elif one.is_result and others[path].is_constant:
                yield replace(one, has_default=True)
            elif not one.memory and (others[path].memory == UNSET or one.is_own):
                yield replace(one, other_memory=others[path].memory)
        for path, one in others.items():
            if one.memory == UNSET and path is not None and not any(path == changed for changed, _ in made):
                yield replace(one, outcome=outcome, memory="", other_memory=UNSET)


def _key(place: ir.Expression) -> object:
    return place.index.value if isinstance(place, ir.Subscript) and isinstance(place.index, ir.Constant) else None


def _replaced(function: Function, side: Iterable[int], outcome: bool, before: Environment) -> Iterator[Replacement]:
    """The places that the blocks of a side replace, in the order of the text; ``before`` are the values at the test."""
    steps = [step for index in sorted(side) for step in function.ir.blocks[index].steps]
    wanted = set(map(id, steps))
    own: set[str] = set(_received(function))
    results = set(own)
    shown = {name for step in steps for name in _shown(step)}
    for _, step, inside in function.steps(lambda step: id(step) in wanted):
        env = _of_several_ranks(inside, before)
        for place, value, in_place in _changes(function, step):
            is_own = value is None or _is_own(function, value, env, own)
            path = ir.dotted(place.value if isinstance(place, ir.Subscript) else place)
            if path is None:
                continue
            is_result = value is not None and _is_result(function, value, env, results)
            if is_own:
                own.add(path)
            if is_result:
                results.add(path)
            is_constant = isinstance(value, ir.Constant) and value.value is not None
            memory = "" if value is None else _memory(function, value)
            told = path in shown and value is not None and _may_be_for_all(function, value, path, env)
            key = _key_of_entry(step)
            if key is None or ir.dotted(key) in own:  # other keys may name entries that only this rank uses
                of_entries = key is not None or (value is None and in_place and not _is_shuffle(step))
                yield Replacement(
                    place, outcome, step.span, in_place, is_own, is_result, told, is_constant=is_constant,
                    memory=memory, of_entries=of_entries,
                )  # fmt: skip


def _of_several_ranks(env: Environment, before: Environment) -> Environment:
    """The values on one side of a test, without what is known because one rank alone comes there."""
    changed = {
        name: old
        for name, old in before.items()
        if old.noneness.level is Level.RANK and env.get(name) == replace(old, noneness=UNIFORM)
    }
    return {**env, **changed} if changed else env


def _key_of_entry(step: ir.Step) -> ir.Expression | None:
    """The key of the entry or field that a step replaces, if its name is not in the text."""
    match step:
        case ir.Assign(targets=(ir.Subscript(index=ir.Name() as key),)):
            return key
        case ir.Evaluate(expression=ir.Call(func=ir.Name(id="setattr"), args=(_, key, _))):
            return key.value
    return None


def _is_shuffle(step: ir.Step) -> bool:
    match step:
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(attr="shuffle"))):
            return True
    return False


def _changes(function: Function, step: ir.Step) -> Iterator[tuple[ir.Expression, ir.Expression | None, bool]]:
    """The places that a step changes, with the new value; None for one that is drawn."""
    match step:
        case ir.Assign(targets=targets, value=ir.Expression() as value):
            for target in targets:
                yield from ((place, value, in_place) for place, in_place in _places(target))
        case ir.AugmentedAssign(target=target, value=value):
            both = ir.BinaryOperation(step.span, step.operator, target, value)
            yield from ((place, both, in_place) for place, in_place in _places(target))
        case ir.Evaluate(expression=ir.Call(args=(first,))) if _is_shuffle(step):
            yield first.value, None, True
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=owner, attr="update"), args=(first,))):
            yield owner, first.value, True
        case ir.Evaluate(expression=ir.Call(func=ir.Name(id="setattr"), args=(owner, _, new))):
            yield owner.value, new.value, True
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=owner)) as call) if ir.dotted(owner) is not None:
            yield from changed_fields(function, call, owner)


def _places(target: ir.Expression) -> Iterator[tuple[ir.Expression, bool]]:
    match target:
        case ir.Name() | ir.Attribute():
            yield target, False
        case ir.Subscript(value=held, index=ir.Constant()) if ir.dotted(held) is not None:
            yield target, False
        case ir.Subscript(value=held, index=ir.Slice() | ir.Name()) if ir.dotted(held) is not None:
            yield held, True
        case ir.Collection(elements=elements):
            for element in elements:
                yield from _places(element)


def _is_own(function: Function, value: ir.Expression, env: Environment, own: set[str]) -> bool:
    """Whether one process alone can know a value."""
    for node in ir.walk(value):
        if ir.dotted(node) in own:
            return True
        inner = (
            node.context if isinstance(node, ir.Entered) else node.iterable if isinstance(node, ir.Element) else node
        )
        if isinstance(inner, ir.Call) and reads(function, inner):
            return True
        if isinstance(node, (ir.Name, ir.Attribute, ir.Call)) and _is_of_one(function.value(node, env)):
            return True
    return False


def _is_result(function: Function, value: ir.Expression, env: Environment, results: set[str]) -> bool:
    """Whether a value is computed from the result of a collective with a root."""
    return any(
        ir.dotted(node) in results
        or (isinstance(node, (ir.Name, ir.Attribute)) and function.value(node, env).noneness.level is Level.RANK)
        for node in ir.walk(value)
    )


def _is_of_one(value: Value) -> bool:
    return value.noneness.level is Level.RANK or (value.content.level is Level.LOCAL and value.content.source in _OWN)


def _received(function: Function) -> Iterator[str]:
    """The buffers in which only the root of a collective receives."""
    for bound in function.operation_calls:
        operation = bound.known_operation
        if operation.root is not None and operation.event.lower() in ("reduce", "gather", "gatherv"):
            for name in operation.receives:
                yield ir.dotted(bound.argument(name) or ir.Constant((0, 0), None)) or ""


def _memory(function: Function, value: ir.Expression) -> str:
    """`UNSET` for an array that nothing has set, `ZEROS` for one of zeros; empty for others."""
    bound = function.bound(value) if isinstance(value, ir.Call) else None
    return _NEW_MEMORY.get(function.project.canonical(bound.dotted or ""), "") if bound is not None else ""


def _may_be_for_all(function: Function, value: ir.Expression, path: str, env: Environment) -> bool:
    """Whether a formula has no part that is meant for one rank: its rank, a remainder, a part of the old value."""
    nodes = list(ir.walk(value))
    of_ranks = any(isinstance(function.value(node, env).entity, (RankOf, SizeOf)) for node in nodes)
    divides = any(isinstance(node, ir.BinaryOperation) and node.operator in ("%", "//") for node in nodes)
    return not (isinstance(value, ir.Constant) or of_ranks or divides or any(ir.dotted(node) == path for node in nodes))


def _shown(step: ir.Step) -> Iterator[str]:
    """The names that a step prints: what a rank prints for all is not meant for that rank alone."""
    match step:
        case ir.Evaluate(expression=ir.Call(func=func, args=args)):
            name = func.attr if isinstance(func, ir.Attribute) else ir.dotted(func)
            for node in (node for one in args if name in _SHOWS for node in ir.walk(one.value)):
                yield ir.dotted(node) or ""


def _names(step: ir.Step) -> Iterator[ir.Name]:
    targets = (
        step.targets if isinstance(step, ir.Assign) else (step.target,) if isinstance(step, ir.AugmentedAssign) else ()
    )
    return (target for target in targets if isinstance(target, ir.Name))
