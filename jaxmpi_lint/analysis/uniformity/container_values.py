"""Values of displays and comprehensions, of operations on arrays, and of methods of containers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import (
    NOTHING,
    UNIFORM,
    UNKNOWN,
    Container,
    Literal,
    Named,
    Record,
    Uniformity,
    Unordered,
    Value,
    common,
)
from jaxmpi_lint.analysis.lattice.value_queries import all_text
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.container_methods import ARRAY, ARRAYS, MASK, REDUCING, SHAPE_KEEPING, TAKING

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import ExpressionEvaluator
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_LOGICAL = frozenset({"&", "|", "^"})
_KINDS = {"list": "list", "tuple": "tuple"}


def collection(evaluator: ExpressionEvaluator, node: ir.Collection, env: Environment) -> Value:
    """A list, a tuple or a set that is written down."""
    values = [evaluator.value(element, env) for element in node.elements]
    content = evaluator.joined(values).content
    starred = any(isinstance(element, ir.Starred) for element in node.elements)
    if node.kind == "set":
        stable = all(isinstance(v.entity, Literal) and v.entity.kind in ("int", "bool") for v in values)
        return Value(Unordered(stable, all_text(values)), content, UNKNOWN, UNIFORM)
    structure = UNKNOWN if starred else UNIFORM
    entity = Container(_KINDS[node.kind]) if node.kind in _KINDS else None
    return Value(entity, content, structure, UNIFORM, None if starred else tuple(values))


def numbered(evaluator: ExpressionEvaluator, iterable: ir.Expression, env: Environment) -> tuple[Value, ...] | None:
    """The number of an iteration over ``enumerate(...)``, which all ranks count alike, and the element."""
    if not isinstance(iterable, ir.Call) or evaluator.value(iterable.func, env).entity != Named("enumerate"):
        return None
    given = [evaluator.value(argument.value, env) for argument in iterable.args if not argument.star]
    if not given or len(given) < len(iterable.args):
        return None
    return evaluator.joined([Value.uniform(), *given[1:]]), evaluator.element_of(given[0], iterable.span)


def dictionary(evaluator: ExpressionEvaluator, node: ir.Dictionary, env: Environment) -> Value:
    """A dict that is written down: with constant keys, the values are known individually."""
    values = [evaluator.value(child, env) for child in ir.children(node)]
    content = common([value.content for value in values])
    keys = tuple(key.value for key in node.keys if isinstance(key, ir.Constant))
    if len(keys) < len(node.keys) or len(set(keys)) < len(keys):
        return Value(Container("dict"), content, UNKNOWN, UNIFORM)
    return Value(Record(keys), content, UNIFORM, UNIFORM, tuple(evaluator.value(value, env) for value in node.values))


def comprehension(evaluator: ExpressionEvaluator, node: ir.Comprehension, env: Environment) -> Value:
    """A comprehension, or the generator of an expression."""
    inner = dict(env)
    structure = UNIFORM
    for generator in node.generators:
        iterable = evaluator.value(generator.iterable, inner)
        element = evaluator.element_of(iterable, generator.iterable.span)
        for name in ir.walk(generator.target):
            if isinstance(name, ir.Name):
                inner[name.id] = element
        structure = structure.join(iterable.structure)
        for condition in generator.conditions:
            structure = structure.join(evaluator.value(condition, inner).content)
    parts = [evaluator.value(node.element, inner)]
    if node.value is not None:
        parts.append(evaluator.value(node.value, inner))
    content = evaluator.joined(parts).content.join(structure)
    if node.kind == "set":
        integers = isinstance(node.element, ir.Call) and ir.dotted(node.element.func) in ("int", "len", "hash")
        text = isinstance(node.element, ir.FormattedString) or all_text(parts)
        return Value(Unordered(integers, text), content, UNKNOWN, UNIFORM)
    entity = Container(node.kind) if node.kind in ("list", "dict") else None
    return Value(entity, content, structure, UNIFORM)


# --- records ---


def entry(held: Value, key: object) -> Value | None:
    """The value of a constant key of a dict; None if it is not known individually."""
    if not isinstance(held.entity, Record) or held.elements is None or key not in held.entity.keys:
        return None
    return held.elements[held.entity.keys.index(key)]


def any_entry(held: Value) -> Value | None:
    """The value of every key of a dict, if all entries are the same name of a library; None otherwise."""
    if not isinstance(held.entity, Record) or not held.elements:
        return None
    first, *rest = held.elements
    same = isinstance(first.entity, Named) and all(one.entity == first.entity for one in rest)
    return first if same else None


def with_entry(held: Value, key: object, value: Value) -> Value | None:
    """A dict with known keys after ``held[key] = value``."""
    if not isinstance(held.entity, Record) or held.elements is None:
        return None
    keys, elements = held.entity.keys, held.elements
    if key in keys:
        place = keys.index(key)
        elements = (*elements[:place], value, *elements[place + 1 :])
    else:
        keys, elements = (*keys, key), (*elements, value)
    return replace(held, entity=Record(keys), content=common([one.content for one in elements]), elements=elements)


# --- arrays ---


def is_array(value: Value) -> bool:
    """Whether a value is provably an array of numpy."""
    return isinstance(value.entity, Container) and value.entity.kind in ARRAYS


def combined(operator: str, operands: list[Value], comparison: bool = False) -> Container | None:
    """The array that an operation on arrays returns; None if an operand is an object that may have operators.

    An array on the left decides itself: a right operand of which nothing is known is taken for an array or a number.
    """
    is_left = is_array(operands[0]) and not comparison
    fitting = (is_array(one) or _is_number(one) or (is_left and one.entity is None) for one in operands)
    if not any(map(is_array, operands)) or not all(fitting):
        return None
    logical = operator in _LOGICAL and all(one.entity == Container(MASK) for one in operands)
    return Container(MASK if comparison or logical else ARRAY)


def _is_number(value: Value) -> bool:
    known = value.entity is None and value.content.level is not Level.UNKNOWN
    return known or not isinstance(value.entity, (type(None), Container, Record, Unordered))


def part_of_array(held: Value, index: Value) -> Value | None:
    """A part of an array: a mask selects as many elements as it has true ones; None for other objects."""
    if not is_array(held):
        return None
    content = held.content.join(index.content)
    if index.entity == Container(MASK):
        return Value(held.entity, content, held.structure.join(index.content), UNIFORM)
    structure = index.structure if is_array(index) else UNKNOWN
    return Value(held.entity, content, structure, UNIFORM)


# --- methods ---


def method_result(
    evaluator: ExpressionEvaluator, receiver: Value, call: ir.Call, name: str, env: Environment
) -> Value | None:
    """The result of a method of a container; None if it is not known."""
    arguments = [evaluator.value(argument.value, env) for argument in call.args]
    content = evaluator.joined([receiver, *arguments]).content
    if is_array(receiver):
        return _of_array(receiver, name, content)
    if name == "get" and arguments and isinstance(arguments[0].entity, Literal):
        known = entry(receiver, arguments[0].entity.value)
        if known is not None:
            return known
    return Value(None, content, UNKNOWN, UNKNOWN) if name in TAKING else None


def _of_array(receiver: Value, name: str, content: Uniformity) -> Value:
    if name in REDUCING:
        known = NOTHING.content if content.level is Level.ORDER else content
        return Value(Container(ARRAY), known, UNIFORM, UNIFORM)
    structure = receiver.structure if name in SHAPE_KEEPING else UNKNOWN
    return Value(Container(ARRAY), content, structure, UNIFORM)
