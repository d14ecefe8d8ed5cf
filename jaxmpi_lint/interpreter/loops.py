"""Loops over iterables: their next items, and what is known after passes that are left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import (
    calls,
    evaluation,
    open_tables,
    operations,
    periodic_items,
    tested_items,
    untaken_exits,
    used_items,
)
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.container_values import GuessedList
from jaxmpi_lint.interpreter.copies import copied
from jaxmpi_lint.interpreter.frames import Collecting, Frame
from jaxmpi_lint.interpreter.symbols import FEW_PASSES, Symbol
from jaxmpi_lint.interpreter.values import EXHAUSTED, MISSING, Instance, Iterator, Library, NeedsCall, Scope, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank
    from jaxmpi_lint.interpreter.turns import Turn

SAMPLED = 4
"""First passes of a sampled loop; the last one follows."""

LEFT_EARLY = "loops that are left early"
"""The note of a world in which short loops are sampled, or the last passes of a ``while`` loop are left out."""

SOME_ITEMS = "items that are left out"
"""The note of a world in which a list has unknown items, since a condition selects them."""


def next_pass(rank: Rank, frame: Frame, header: int, branch: ir.Branch) -> bool:
    """Whether a loop has a next item; it is kept for the assignment that follows."""
    assert isinstance(branch.test, ir.Element)
    state = frame.iterators.get(header)
    if state is None:
        iterable = evaluation.evaluate(rank, frame, branch.test.iterable)
        state = frame.iterators[header] = _begin(rank, frame, header, branch, iterable)
        if branch.kind == "comprehension" and frame.collecting:
            collecting = next(reversed(frame.collecting.values()))
            collecting.is_guessed = collecting.is_guessed or state.is_guessed
            collecting.length = collecting.length or state.length
    if state.generator is not None:
        return _next_of_generator(rank, frame, header, branch)
    if state.position >= len(state.items):
        del frame.iterators[header]
        used_items.finish(state)
        if state.length:
            untaken_exits.note(rank, frame, header, branch, state.is_tested)
        return False
    if state.position == state.jump:
        rare = tested_items.rare_blocks(frame, header, branch) if state.is_tested else set[int]()
        _widen(rank, frame, branch.extent, state.length, rare, _own_items(state))
    frame.entered[id(branch.test.iterable)] = state.items[state.position]
    state.position += 1
    return True


def _begin(rank: Rank, frame: Frame, header: int, branch: ir.Branch, iterable: Value) -> Iterator:
    rank.state["span"] = branch.span
    state = calls.iterate(rank, iterable)
    if state.generator is None and len(state.items) - state.position > FEW_PASSES:
        rank.world.has_long_loop = True
    if state.generator is not None or len(state.items) - state.position <= rank.world.passes(rank):
        if type(iterable) is list:
            state.items = iterable  # it may grow meanwhile
        return state
    left = state.items[state.position :]
    rank.world.sample_loop(rank, len(left))
    tested = tested_items.named(frame, branch, left)
    few = [*left[:SAMPLED], *_between(frame, header, branch, left, tested or []), left[-1]]
    found = Iterator(few, is_guessed=state.is_guessed, jump=SAMPLED, length=len(left), turn=rank.turn)
    found.is_tested = tested is not None
    used_items.hand_over(iterable, found)
    return found


def _between(
    frame: Frame, header: int, branch: ir.Branch, items: Sequence[Value], tested: list[int]
) -> Sequence[Value]:
    """The items of a sampled loop between its first ones and the last one.

    A loop that can be left early has one of them, for a rank that leaves it while others go on.
    """
    inner = items[SAMPLED:-1]
    can_be_left = untaken_exits.can_be_left(frame, header, branch)
    if not isinstance(inner, range):
        return inner[:1] if can_be_left else ()
    wanted = {*tested, *(inner[:1] if can_be_left else ()), *periodic_items.last_of_periods(frame, branch, inner)}
    return sorted((item for item in wanted if item in inner), key=inner.index)


def is_in_lazy(frames: Iterable[Frame]) -> bool:
    """Whether a generator expression is in progress that no call consumes: its calls may come much later."""
    return any(state.is_lazy for frame in frames for state in frame.collecting.values())


def sampled(frames: Iterable[Frame]) -> Iterable[object]:
    """The places of the long loops that are in progress in frames."""
    return (state.turn for frame in frames for state in frame.iterators.values() if state.length)


def end(frame: Frame, comprehension: ir.Comprehension) -> None:
    """End the loops of a comprehension after the current pass."""
    for header in list(frame.iterators):
        terminator = frame.function.blocks[header].terminator
        if isinstance(terminator, ir.Branch) and terminator.extent == comprehension.span:
            frame.iterators[header] = Iterator([])


def sample(rank: Rank, items: Iterable[Value]) -> list[Value]:
    """All items of a short loop, the first ones and the last of a long one."""
    found = list(items)
    if len(found) > FEW_PASSES:
        rank.world.has_long_loop = True
    if len(found) <= rank.world.passes(rank):
        return found
    rank.world.sample_items(rank, len(found))
    return [*found[:SAMPLED], found[-1]]


def _next_of_generator(rank: Rank, frame: Frame, header: int, branch: ir.Branch) -> bool:
    assert isinstance(branch.test, ir.Element)
    state = frame.iterators[header]
    assert state.generator is not None
    key = ("next", header)
    if key not in frame.implicit:
        node = ir.Constant(branch.span, None)
        raise NeedsCall(node, Library("builtins.next"), (state.generator, EXHAUSTED), key=key)
    item = frame.implicit.pop(key)
    if item is EXHAUSTED:
        del frame.iterators[header]
        if state.generator.is_sampled:
            _widen(rank, frame, branch.extent, 0)
        return False
    frame.entered[id(branch.test.iterable)] = item
    return True


def collect(rank: Rank, frame: Frame, step: ir.Collect) -> None:
    """Begin or end a comprehension that contains calls, or add an element."""
    node = step.comprehension
    if step.action == "begin":
        names = [name.id for g in node.generators for name in ir.walk(g.target) if isinstance(name, ir.Name)]
        saved = {name: frame.scope.names.get(name, MISSING) for name in names}
        frame.collecting.pop(id(node), None)
        is_lazy = node.kind == "generator" and id(node) not in frame.prepared.consumed
        frame.collecting[id(node)] = Collecting([], saved, is_lazy=is_lazy)
        frame.results.pop(id(node), None)
        return
    state = frame.collecting[id(node)]
    if step.action == "add":
        state.elements.append(evaluation.element(rank, frame, node))
        if frame.prepared.is_last(node, lambda: rank.truth(state.elements[-1])):
            end(frame, node)
        return
    del frame.collecting[id(node)]
    for name, value in state.saved.items():
        frame.scope.names.pop(name, None)
        if value is not MISSING:
            frame.scope.names[name] = value
    elements = _completed(rank, node, state) if state.length else state.elements
    result = evaluation.finish(rank, node, GuessedList(elements) if state.is_guessed else elements)
    if state.length and isinstance(result, dict):
        open_tables.update(rank, result, rank.symbol("passes", node.span, state.length))
    frame.results[id(node)] = result


def _is_the_same(node: ir.Comprehension) -> bool:
    """Whether an element does not depend on the item of its pass."""
    items = {one.id for one in ir.walk(node.generators[0].target) if isinstance(one, ir.Name)}
    return not any(isinstance(one, ir.Name) and one.id in items for one in ir.walk(node.element))


def _completed(rank: Rank, node: ir.Comprehension, state: Collecting) -> list[Value]:
    """The elements of a comprehension whose loop is sampled, with those of the passes that are left out.

    Elements that do not depend on the loop are made alike in all passes.
    """
    made = state.elements
    is_plain = node.kind != "dict" and len(node.generators) == 1 and not node.generators[0].conditions
    is_plain = is_plain and state.length <= operations.MAX_LIST
    if not is_plain or len(made) != SAMPLED + 1:
        rank.world.notes[SOME_ITEMS] = True
        state.is_guessed = state.is_guessed or node.kind != "dict"
        return made
    middle = range(SAMPLED, state.length - 1)
    if _is_the_same(node):
        rank.world.count_items(len(middle) * (len(made[0]) if isinstance(made[0], list) else 1))
        return [*made[:SAMPLED], *(copied(made[0]) for _ in middle), made[-1]]
    kinds = {one.kind if isinstance(one, Symbol) else type(one).__name__ for one in made}
    kind = kinds.pop() if len(kinds) == 1 and not isinstance(made[0], (Array, Instance)) else ""
    left_out = [rank.symbol("element", node.span, made[:SAMPLED], at, kind=kind) for at in middle]
    return [*made[:SAMPLED], *left_out, made[-1]]


# --- passes that are left out ---


def note_early_end(rank: Rank) -> None:
    """Record in the world that further passes of a loop are left out."""
    rank.world.is_bounded = True
    rank.world.notes[LEFT_EARLY] = True
    rank.world.sampled_frames.update(frame.path for frame in rank.frames)


def leave_early(rank: Rank, frame: Frame, header: int, branch: ir.Branch) -> None:
    """Leave out all further passes of a ``while`` loop that would take too many steps."""
    note_early_end(rank)
    untaken_exits.note(rank, frame, header, branch, False)
    _widen(rank, frame, branch.extent, 0)
    for node in ir.walk(branch.test):
        if isinstance(node, ir.Name):
            _forget_held(rank, _names_with(frame, node.id), node.id, ())
        elif isinstance(node, ir.Attribute):
            _forget(rank, frame, node, ())


def _own_items(state: Iterator) -> tuple[Value, ...]:
    """Items that tell apart the shares of ranks which loop over different numbers or texts."""
    ends = (state.items[0], state.items[-1])
    return ends if all(isinstance(item, (int, str)) for item in ends) else ()


def _widen(
    rank: Rank,
    frame: Frame,
    extent: ir.Span,
    length: int,
    rare: Collection[int] = (),
    items: tuple[Value, ...] = (),
) -> None:
    """Replace what the passes of a loop change by symbols; equal on ranks where it and the items were equal so far.

    What one pass hands to the next depends on the number of passes as well, and on the tests around it. ``rare``:
    blocks that no pass which is left out runs.
    """
    blocks = (block for block in frame.function.blocks if block.index not in rare)
    steps = [step for block in blocks for step in block.steps if _lies_in(step.span, extent)]
    targets = [target for step in steps for target in _changed(step)]
    names = {node.id for target in targets for node in ir.walk(target) if isinstance(node, ir.Name)}
    tests = [turn for turn in rank.turns if turn.asked and turn.frame.path == frame.path and _is_inside(turn, extent)]
    for step in steps:
        passes = (*items, length) if _hands_on(step, names) else items
        passes += tuple(symbol for turn in tests if _lies_in(step.span, _extent(turn)) for symbol, _ in turn.asked)
        for target in _changed(step):
            _forget(rank, frame, target, passes)


def _lies_in(span: ir.Span, extent: ir.Span) -> bool:
    return extent[0] <= span[0] and span[1] <= extent[1]


def _is_inside(turn: Turn, extent: ir.Span) -> bool:
    """Whether a test is made in the passes of a loop."""
    return turn.branch is not None and turn.branch.extent != extent and _lies_in(turn.branch.extent, extent)


def _extent(turn: Turn) -> ir.Span:
    return turn.branch.extent if turn.branch is not None else turn.span


def _changed(step: ir.Step) -> tuple[ir.Expression, ...]:
    match step:
        case ir.Assign(targets=targets, value=value) if value is not None:
            return targets
        case ir.AugmentedAssign(target=target):
            return (target,)
        case ir.Evaluate(expression=ir.Call(func=ir.Attribute(value=receiver))):
            return (ir.Subscript(receiver.span, receiver, receiver),)
    return ()


def _hands_on(step: ir.Step, names: set[str]) -> bool:
    """Whether the result of a step depends on names that the passes change."""
    if not isinstance(step, ir.Assign) or step.value is None:
        return True
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(step.value))


def _forget(rank: Rank, frame: Frame, target: ir.Expression, passes: tuple[Value, ...]) -> None:
    match target:
        case ir.Name(id=name) if name not in frame.scope.names:
            frame.scope.names[name] = rank.symbol("after passes", name, *passes)
        case ir.Name(id=name) if _is_data(frame.scope.names.get(name, MISSING)):
            frame.scope.names[name] = rank.symbol("after passes", name, frame.scope.names[name], *passes)
        case ir.Attribute(value=ir.Name(id=name), attr=field):
            owner = frame.scope.names.get(name)
            if isinstance(owner, Instance) and _is_data(owner.fields.get(field, MISSING)):
                owner.fields[field] = rank.symbol("after passes", field, owner.fields[field], *passes)
        case ir.Collection(elements=elements):
            for element in elements:
                _forget(rank, frame, element, passes)
        case ir.Subscript(value=container):
            _forget_items(rank, frame, container, passes)


def _is_data(value: Value) -> bool:
    return isinstance(value, (int, float, complex, str, list, tuple, dict, set, Array))


def _forget_items(rank: Rank, frame: Frame, container: ir.Expression, passes: tuple[Value, ...]) -> None:
    """A container that is changed in place: a symbol for a name or field, unknown elements for an array."""
    if isinstance(container, ir.Subscript):
        _forget_items(rank, frame, container.value, passes)
    elif isinstance(container, (ir.Name, ir.Attribute)):
        if isinstance(container, ir.Name):
            _forget_held(rank, _names_with(frame, container.id), container.id, passes)
        else:
            _forget(rank, frame, container, passes)


def _forget_held(rank: Rank, names: dict[str, Value], name: str, passes: tuple[Value, ...]) -> None:
    """A container of a scope; arrays keep their shape, and other objects, such as communicators, stay as they are."""
    value = names.get(name, MISSING)
    if _is_data(value) and not isinstance(value, Array):
        names[name] = rank.symbol("after passes", name, value, *passes)


def _names_with(frame: Frame, name: str) -> dict[str, Value]:
    """The names of the scope in which a function finds a name."""
    scope: Scope | None = frame.scope
    while scope is not None and name not in scope.names:
        scope = scope.outer
    return frame.scope.module.scope.names if scope is None else scope.names
