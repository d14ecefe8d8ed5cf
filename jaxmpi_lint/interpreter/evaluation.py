"""Values of expressions whose calls have been made; what needs a call of the program raises `NeedsCall`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import (
    attributes,
    container_items,
    derived,
    missing_entries,
    open_tables,
    operations,
    own_shares,
    shown_objects,
    unpacking,
)
from jaxmpi_lint.interpreter.container_values import GuessedList, View, alike
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.raised import fail
from jaxmpi_lint.interpreter.special_methods import apply, compare, implicit, truth_of, unary
from jaxmpi_lint.interpreter.symbols import Symbol
from jaxmpi_lint.interpreter.used_items import Stopped, put_back
from jaxmpi_lint.interpreter.values import (
    ITEMS,
    MISSING,
    Cut,
    FunctionValue,
    GeneratorValue,
    Instance,
    Iterator,
    NeedsCall,
    Scope,
    Value,
)

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


def evaluate(rank: Rank, frame: Frame, expression: ir.Expression) -> Value:
    """The value of an expression in a frame."""
    if frame.implicit or frame.captured:
        key = id(expression)
        known = frame.implicit.get(key, MISSING)
        known = frame.captured.get(key, MISSING) if known is MISSING else known
        if known is not MISSING:
            return known
    return _EVALUATORS[type(expression)](rank, frame, expression)


def look_up(rank: Rank, scope: Scope, name: str, local: frozenset[str]) -> Value:
    """The value of a name; an unbound local name or an unknown global one raises."""
    current: Scope | None = scope
    if name in local and name not in scope.names:
        if rank.world.decisions.made:
            raise Cut("a name that may be unbound")
        raise fail("UnboundLocalError", name)
    while current is not None:
        if name in current.names:
            return current.names[name]
        current = current.outer
    names = scope.module.scope.names
    if name in names:
        return names[name]
    return rank.builtin(name, scope.module)


def truth(rank: Rank, frame: Frame, expression: ir.Expression) -> bool:
    """The outcome of a test; a branch that was taken stays taken, whatever the calls after it have changed."""
    if id(expression) in frame.outcomes:
        return frame.outcomes[id(expression)]
    match expression:
        case ir.UnaryOperation(operator="not", operand=operand):
            return not truth(rank, frame, operand)
        case ir.BooleanOperation(operator="and", operands=operands):
            return all(truth(rank, frame, operand) for operand in operands)
        case ir.BooleanOperation(operator="or", operands=operands):
            return any(truth(rank, frame, operand) for operand in operands)
    return truth_of(rank, frame, expression, evaluate(rank, frame, expression))


def _name(rank: Rank, frame: Frame, node: ir.Name) -> Value:
    if rank.program.is_uniform(node):
        return rank.symbol("declared", node.id)
    return _current(look_up(rank, frame.scope, node.id, frame.prepared.names))


def _constant(rank: Rank, frame: Frame, node: ir.Constant) -> Value:
    return node.value


def _attribute(rank: Rank, frame: Frame, node: ir.Attribute) -> Value:
    if rank.program.is_uniform(node):
        return rank.symbol("declared", ir.dotted(node))
    return _current(attributes.read(rank, node, evaluate(rank, frame, node.value), node.attr))


def _current(value: Value) -> Value:
    if isinstance(value, View):
        value.refresh()
    return value


def _subscript(rank: Rank, frame: Frame, node: ir.Subscript) -> Value:
    container = evaluate(rank, frame, node.value)
    index = evaluate(rank, frame, node.index)
    if isinstance(container, Instance):
        method = container.cls.find("__getitem__")
        if method is not MISSING:
            return implicit(frame, node, "__getitem__", method, (container, index))
        if container.cls.is_tuple:
            return operations.item(rank, tuple(container.fields.values()), index)
        stored = container.fields.get(ITEMS)
        if isinstance(stored, dict) and isinstance(index, (str, int)) and index in stored:
            return operations.item(rank, stored, index)
    missing_entries.fill_in(rank, frame, node, container, index)
    own_shares.note(rank, container, index, node.span)
    own_shares.note_part(rank, index, node.span)
    return operations.item(rank, container, index)


def _slice(rank: Rank, frame: Frame, node: ir.Slice) -> Value:
    parts = (node.lower, node.upper, node.step)
    return operations.SliceValue(*(None if part is None else evaluate(rank, frame, part) for part in parts))


def _call(rank: Rank, frame: Frame, node: ir.Call) -> Value:
    known = frame.results.get(id(node), MISSING)
    if known is not MISSING:
        return known
    # Defaults of lambdas and classes of handlers have no steps of their own.
    function, args, keywords = operands(rank, frame, node)
    raise NeedsCall(node, function, args, keywords)


def operands(rank: Rank, frame: Frame, node: ir.Call) -> tuple[Value, tuple[Value, ...], dict[str, Value]]:
    """The function and the arguments of a call."""
    function = evaluate(rank, frame, node.func)
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    for argument in node.args:
        value = evaluate(rank, frame, argument.value)
        if argument.star == "*":
            args += unpacking.arguments(rank, function, len(args), value)
        elif argument.star == "**":
            value = derived.base_of(value)
            if not isinstance(value, dict):
                raise Cut("keyword arguments that are not known")
            keywords.update({str(key): one for key, one in open_tables.known(value)})
        elif argument.keyword is not None:
            keywords[argument.keyword] = value
        else:
            args.append(value)
    return function, tuple(args), keywords


def _binary(rank: Rank, frame: Frame, node: ir.BinaryOperation) -> Value:
    left, right = evaluate(rank, frame, node.left), evaluate(rank, frame, node.right)
    return apply(rank, frame, node, node.operator, left, right)


def _unary(rank: Rank, frame: Frame, node: ir.UnaryOperation) -> Value:
    if node.operator == "not":
        return not truth(rank, frame, node.operand)
    return unary(rank, node.operator, evaluate(rank, frame, node.operand))


def _boolean(rank: Rank, frame: Frame, node: ir.BooleanOperation) -> Value:
    value: Value = None
    for operand in node.operands:
        value = evaluate(rank, frame, operand)
        if operand is node.operands[-1]:
            break
        outcome = frame.outcomes.get(id(operand))
        if (truth_of(rank, frame, operand, value) if outcome is None else outcome) is (node.operator == "or"):
            break
    return value if rank.world.stale is None else rank.world.stale.choice(rank, frame, node, value)


def _comparison(rank: Rank, frame: Frame, node: ir.Comparison) -> Value:
    values = [evaluate(rank, frame, operand) for operand in node.operands]
    result: Value = True
    for operator, left, right in zip(node.operators, values, values[1:], strict=False):
        result = compare(rank, frame, node, operator, left, right)
        if len(node.operators) > 1 and not rank.truth(result):
            break
    return result


def _conditional(rank: Rank, frame: Frame, node: ir.Conditional) -> Value:
    value = evaluate(rank, frame, node.body if truth(rank, frame, node.test) else node.orelse)
    return value if rank.world.stale is None else rank.world.stale.choice(rank, frame, node, value)


def _collection(rank: Rank, frame: Frame, node: ir.Collection) -> Value:
    items: list[Value] = []
    sources: list[Value] = []
    for element in node.elements:
        if isinstance(element, ir.Starred):
            container = evaluate(rank, frame, element.value)
            rank.state["span"] = element.span
            if node.kind == "list" and isinstance(container, Symbol):
                container = GuessedList(container_items.guess(rank, container))
            items += unpacking.items(rank, container)
            sources.append(container)
        else:
            items.append(evaluate(rank, frame, element))
    if node.kind == "tuple":
        return tuple(items)
    return alike(items, *sources) if node.kind == "list" else operations.make_set(rank, items)


def _dictionary(rank: Rank, frame: Frame, node: ir.Dictionary) -> Value:
    found: dict[Any, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            other = derived.base_of(evaluate(rank, frame, value))
            if not isinstance(other, dict):
                return rank.symbol("dict", node.span, other)
            found.update(other)
        else:
            found[operations.hashable(rank, evaluate(rank, frame, key))] = evaluate(rank, frame, value)
    return found


def _formatted(rank: Rank, frame: Frame, node: ir.FormattedString) -> Value:
    parts: list[Value] = []
    for index, part in enumerate(node.parts):
        value = evaluate(rank, frame, part)
        if index in node.formats:
            parts[-1] = shown_objects.in_format(rank, parts[-1], value)
            continue
        conversion = node.parts[index + 1] if index + 1 in node.formats else None
        method = shown_objects.method_of(rank, value, shown_objects.methods_for(conversion))
        parts.append(value if method is None else implicit(frame, part, "__str__", method, (value,)))
    if all(isinstance(part, (str, int, float, bool, type(None))) for part in parts):
        return "".join(part if isinstance(part, str) else str(part) for part in parts)
    return rank.symbol("text", *parts, kind="str")


def _comprehension(rank: Rank, frame: Frame, node: ir.Comprehension) -> Value:
    known = frame.results.get(id(node), MISSING)
    if known is not MISSING:
        return known
    inner = Frame(frame.function, Scope({}, frame.scope.module, frame.scope), frame.path, frame.prepared)
    inner.results, inner.implicit = frame.results, frame.implicit
    inner.prepared = _without_names(frame, node)
    elements = GuessedList()
    try:
        is_guessed = _generate(rank, inner, node, 0, elements)
    except Stopped as stopped:
        is_guessed = stopped.is_guessed
    return finish(rank, node, elements if is_guessed else list(elements))


def _without_names(frame: Frame, node: ir.Comprehension) -> Any:
    """The facts of the function, where no name is local: those of the comprehension are found in its scope."""
    return replace(frame.prepared, names=frozenset())


_FREE_ITEMS = 32
"""Items of a comprehension that count as one step with it; loops inside of it may have very many."""


def _generate(rank: Rank, frame: Frame, node: ir.Comprehension, depth: int, elements: list[Value]) -> bool:
    """Add the elements of the loops from a depth on; whether their number is guessed."""
    if depth == len(node.generators):
        elements.append(element(rank, frame, node))
        if id(node) in frame.running and frame.prepared.is_last(node, lambda: rank.truth(elements[-1])):
            raise Stopped(is_guessed=False)
        return False
    generator, outer = node.generators[depth], frame.implicit
    iterable = evaluate(rank, frame, generator.iterable)
    rank.state["span"] = generator.iterable.span
    items = rank.passes(iterable)
    if isinstance(iterable, (Iterator, GeneratorValue)):
        frame.running.add(id(node))
    is_guessed = isinstance(items, GuessedList)
    for number, item in enumerate(items):
        if depth or number >= _FREE_ITEMS:
            rank.world.count_step()
        frame.implicit = _of_pass(outer, number)
        try:
            unpacking.unpack(rank, generator.target, item, frame.scope.names.__setitem__)
            if all(truth(rank, frame, condition) for condition in generator.conditions):
                is_guessed = _generate(rank, frame, node, depth + 1, elements) or is_guessed
        except NeedsCall as need:
            if not _is_of_value(need.key):
                need.key = ("pass", number, need.key)
            raise
        except Stopped as stopped:
            put_back(iterable, len(items) - number - 1)
            stopped.is_guessed = stopped.is_guessed or is_guessed
            raise
        finally:
            frame.implicit = outer
    return is_guessed


def _of_pass(implicit: dict[object, Value], number: int) -> dict[object, Value]:
    """The results that belong to one pass of a comprehension."""
    found: dict[object, Value] = {}
    for key, value in implicit.items():
        if isinstance(key, tuple) and key[0] == "pass" and key[1] == number:
            found[key[2]] = value
    return found


def _is_of_value(key: object) -> bool:
    """Whether a result belongs to a value and not to an expression."""
    return isinstance(key, tuple) and key[0] == "value"


def element(rank: Rank, frame: Frame, node: ir.Comprehension) -> Value:
    """The element of one pass, a pair for a dict."""
    value = evaluate(rank, frame, node.element)
    return value if node.value is None else (value, evaluate(rank, frame, node.value))


def finish(rank: Rank, node: ir.Comprehension, elements: list[Value]) -> Value:
    """The container that a comprehension makes of its elements."""
    if node.kind == "dict":
        return {operations.hashable(rank, key): value for key, value in elements}
    if node.kind == "set":
        return operations.make_set(rank, elements)
    if node.kind == "generator":
        return Iterator(elements, is_guessed=isinstance(elements, GuessedList))
    return elements


def _lambda(rank: Rank, frame: Frame, node: ir.Lambda) -> Value:
    function = frame.scope.module.ir.functions[node.function]
    defaults = {p.name: evaluate(rank, frame, p.default) for p in function.parameters if p.default is not None}
    return FunctionValue(function, frame.scope, defaults)


def _named(rank: Rank, frame: Frame, node: ir.NamedExpression) -> Value:
    return evaluate(rank, frame, node.target)


def _yielded(rank: Rank, frame: Frame, node: ir.Yield) -> Value:
    return frame.results.get(id(node))


def _awaited(rank: Rank, frame: Frame, node: ir.Await) -> Value:
    raise Cut("asynchronous code")


def _element(rank: Rank, frame: Frame, node: ir.Element) -> Value:
    return frame.entered[id(node.iterable)]


def _entered(rank: Rank, frame: Frame, node: ir.Entered) -> Value:
    return frame.entered.get(id(node.context))


def _caught(rank: Rank, frame: Frame, node: ir.Caught) -> Value:
    return frame.caught


def _matches(rank: Rank, frame: Frame, node: ir.Matches) -> Value:
    if node.irrefutable:
        return True
    values = [evaluate(rank, frame, operand) for operand in (node.subject, *node.operands)]
    if not isinstance(values[0], Symbol) and (node.has_parts or not isinstance(values[0], (int, str, type(None)))):
        raise Cut("a pattern for parts of a value")
    if len(values) < 2 or not all(isinstance(value, (int, str, type(None))) for value in values):
        return rank.symbol("matches", node.span, *values, kind="bool")
    singletons = (True, False, None)
    operators = ["is" if any(value is one for one in singletons) else "==" for value in values[1:]]
    results = [
        compare(rank, frame, node, operator, values[0], value)
        for operator, value in zip(operators, values[1:], strict=True)
    ]
    return any(result is True for result in results)


def _starred(rank: Rank, frame: Frame, node: ir.Starred) -> Value:
    return evaluate(rank, frame, node.value)


_EVALUATORS: Mapping[type[ir.Expression], Callable[[Any, Frame, Any], Value]] = {
    ir.Name: _name,
    ir.Constant: _constant,
    ir.Attribute: _attribute,
    ir.Subscript: _subscript,
    ir.Slice: _slice,
    ir.Call: _call,
    ir.BinaryOperation: _binary,
    ir.UnaryOperation: _unary,
    ir.BooleanOperation: _boolean,
    ir.Comparison: _comparison,
    ir.Conditional: _conditional,
    ir.Collection: _collection,
    ir.Dictionary: _dictionary,
    ir.FormattedString: _formatted,
    ir.Comprehension: _comprehension,
    ir.Lambda: _lambda,
    ir.NamedExpression: _named,
    ir.Yield: _yielded,
    ir.Await: _awaited,
    ir.Element: _element,
    ir.Entered: _entered,
    ir.Caught: _caught,
    ir.Matches: _matches,
    ir.Starred: _starred,
}
