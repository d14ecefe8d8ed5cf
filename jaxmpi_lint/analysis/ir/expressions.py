"""Expressions: small trees with their spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]


def contains(outer: Span, inner: Span) -> bool:
    """Whether a part of a text lies in another one, or is the same."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


@dataclass(slots=True)
class Expression:
    """Base of all expressions."""

    span: Span


@dataclass(slots=True)
class Name(Expression):
    id: str


@dataclass(slots=True)
class Constant(Expression):
    """A literal; ``value`` is a number, str, bytes, bool, None or Ellipsis."""

    value: object


@dataclass(slots=True)
class Attribute(Expression):
    value: Expression
    attr: str


@dataclass(slots=True)
class Subscript(Expression):
    """``value[index]``; several indices are one tuple ``Collection``."""

    value: Expression
    index: Expression


@dataclass(slots=True)
class Slice(Expression):
    lower: Expression | None
    upper: Expression | None
    step: Expression | None


@dataclass(slots=True)
class Argument:
    """One argument of a call; ``star`` is ``""``, ``"*"`` or ``"**"``; ``span`` covers keyword and value."""

    span: Span
    value: Expression
    keyword: str | None = None
    star: str = ""


@dataclass(slots=True)
class Call(Expression):
    func: Expression
    args: tuple[Argument, ...]

    def argument(self, position: int | None, keyword: str | None = None) -> Expression | None:
        """The argument bound to a parameter given by position and name, or None if absent or undecidable."""
        for arg in self.args:
            if keyword is not None and arg.keyword == keyword:
                return arg.value
        if position is None:
            return None
        for index, arg in enumerate(self.args):
            if arg.star or arg.keyword is not None:
                return None
            if index == position:
                return arg.value
        return None

    @property
    def has_star(self) -> bool:
        """Whether ``*args`` or ``**kwargs`` hide some arguments."""
        return any(arg.star for arg in self.args)


@dataclass(slots=True)
class BinaryOperation(Expression):
    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True)
class UnaryOperation(Expression):
    """``operator`` is ``not``, ``-``, ``+`` or ``~``."""

    operator: str
    operand: Expression


@dataclass(slots=True)
class BooleanOperation(Expression):
    """``operator`` is ``and`` or ``or``; nested chains of the same operator are flat."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(slots=True)
class Comparison(Expression):
    """``operands[0] operators[0] operands[1] ...``; operators as written (``is not``, ``not in``)."""

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]


@dataclass(slots=True)
class Conditional(Expression):
    test: Expression
    body: Expression
    orelse: Expression


@dataclass(slots=True)
class Collection(Expression):
    """A display; ``kind`` is ``tuple``, ``list`` or ``set``."""

    kind: str
    elements: tuple[Expression, ...]


@dataclass(slots=True)
class Dictionary(Expression):
    """A dict display; the key of a ``**mapping`` element is None."""

    keys: tuple[Expression | None, ...]
    values: tuple[Expression, ...]


@dataclass(slots=True)
class FormattedString(Expression):
    """``formats`` are the positions of the parts that state how the part before is written: ``!r``, a format."""

    parts: tuple[Expression, ...]
    formats: tuple[int, ...] = ()


@dataclass(slots=True)
class Generator:
    """One ``for target in iterable if ...`` of a comprehension."""

    target: Expression
    iterable: Expression
    conditions: tuple[Expression, ...]


@dataclass(slots=True)
class Comprehension(Expression):
    """``kind`` is ``list``, ``set``, ``dict`` or ``generator``; a dict's value is ``value``."""

    kind: str
    element: Expression
    value: Expression | None
    generators: tuple[Generator, ...]


@dataclass(slots=True)
class Lambda(Expression):
    """``function`` is the qualified name of its body in ``Module.functions``."""

    function: str


@dataclass(slots=True)
class Starred(Expression):
    value: Expression


@dataclass(slots=True)
class Await(Expression):
    value: Expression


@dataclass(slots=True)
class Yield(Expression):
    value: Expression | None
    delegate: bool


@dataclass(slots=True)
class NamedExpression(Expression):
    target: Name
    value: Expression


@dataclass(slots=True)
class Element(Expression):
    """The element that one iteration of a ``for`` over ``iterable`` yields."""

    iterable: Expression


@dataclass(slots=True)
class Entered(Expression):
    """The value that ``with context as ...`` binds."""

    context: Expression


@dataclass(slots=True)
class Caught(Expression):
    """The value that ``except kind as ...`` binds; ``kind`` is None for a bare ``except``."""

    kind: Expression | None


@dataclass(slots=True)
class Matches(Expression):
    """The test of one ``case``: does ``subject`` match a pattern that reads ``operands``?

    ``has_parts`` if the pattern describes a sequence, a mapping or the fields of an object.
    """

    subject: Expression
    operands: tuple[Expression, ...]
    irrefutable: bool
    has_parts: bool = False


def _of_dictionary(node: Dictionary) -> tuple[Expression, ...]:
    return tuple(e for pair in zip(node.keys, node.values, strict=True) for e in pair if e is not None)


def _of_comprehension(node: Comprehension) -> tuple[Expression, ...]:
    found: list[Expression] = []
    for generator in node.generators:
        found += [generator.iterable, generator.target, *generator.conditions]
    return (*found, node.element) if node.value is None else (*found, node.element, node.value)


_CHILDREN: dict[type[Expression], Callable[[Any], tuple[Expression, ...]]] = {
    Attribute: lambda node: (node.value,),
    Starred: lambda node: (node.value,),
    Await: lambda node: (node.value,),
    Call: lambda node: (node.func, *[argument.value for argument in node.args]),
    BinaryOperation: lambda node: (node.left, node.right),
    Subscript: lambda node: (node.value, node.index),
    UnaryOperation: lambda node: (node.operand,),
    BooleanOperation: lambda node: node.operands,
    Comparison: lambda node: node.operands,
    Conditional: lambda node: (node.test, node.body, node.orelse),
    Collection: lambda node: node.elements,
    Dictionary: _of_dictionary,
    FormattedString: lambda node: node.parts,
    Comprehension: _of_comprehension,
    Slice: lambda node: tuple(e for e in (node.lower, node.upper, node.step) if e is not None),
    Yield: lambda node: () if node.value is None else (node.value,),
    NamedExpression: lambda node: (node.value, node.target),
    Element: lambda node: (node.iterable,),
    Entered: lambda node: (node.context,),
    Caught: lambda node: () if node.kind is None else (node.kind,),
    Matches: lambda node: (node.subject, *node.operands),
}


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions, in evaluation order; a lambda has none."""
    found = _CHILDREN.get(type(expression))
    return found(expression) if found is not None else ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all subexpressions, outermost first, without entering lambdas."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        found = _CHILDREN.get(type(node))
        if found is not None:
            stack += found(node)[::-1]


def root(expression: Expression) -> Expression:
    """The first expression in a chain of attributes."""
    while isinstance(expression, Attribute):
        expression = expression.value
    return expression


def dotted(expression: Expression) -> str | None:
    """``a.b.c`` for a chain of attributes on a name, otherwise None."""
    if isinstance(expression, Name):
        return expression.id
    parts: list[str] = []
    while isinstance(expression, Attribute):
        parts.append(expression.attr)
        expression = expression.value
    if not parts or not isinstance(expression, Name):
        return None
    parts.append(expression.id)
    return ".".join(parts[::-1])


def strip_not(test: Expression, truth: bool = True) -> tuple[Expression, bool]:
    """The test inside of every ``not``, and its outcome where the whole test has the outcome ``truth``."""
    while isinstance(test, UnaryOperation) and test.operator == "not":
        test, truth = test.operand, not truth
    return test, truth


def is_none(expression: Expression | None) -> bool:
    """Whether the expression is present and is the literal None."""
    return isinstance(expression, Constant) and expression.value is None
