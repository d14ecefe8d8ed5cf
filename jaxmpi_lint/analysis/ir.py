"""The intermediate representation: what is left of a file when its syntax tree has been dropped.

Everything here is small and picklable. Spans are half-open ranges of character offsets into the module's text.
Expressions stay trees; control flow is a graph of basic blocks, in which ``and``/``or``, conditional expressions,
comprehensions, ``assert`` and match guards are branches and every call is a step of its own, in evaluation order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]


# --- expressions ---------------------------------------------------------------------------------------------------


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
        """The argument bound to a parameter given by position and name, or None if absent or not decidable."""
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
    parts: tuple[Expression, ...]


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
    """What one pass of a ``for`` over ``iterable`` yields."""

    iterable: Expression


@dataclass(slots=True)
class Entered(Expression):
    """What ``with context as ...`` binds."""

    context: Expression


@dataclass(slots=True)
class Caught(Expression):
    """What ``except kind as ...`` binds; ``kind`` is None for a bare ``except``."""

    kind: Expression | None


@dataclass(slots=True)
class Matches(Expression):
    """The test of one ``case``: does ``subject`` match a pattern that reads ``operands``?"""

    subject: Expression
    operands: tuple[Expression, ...]
    irrefutable: bool


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions, in evaluation order; a lambda has none."""
    match expression:
        case Attribute(value=value) | Starred(value=value) | Await(value=value):
            return (value,)
        case Call(func=func, args=args):
            return (func, *(a.value for a in args))
        case BinaryOperation(left=left, right=right):
            return (left, right)
        case Subscript(value=value, index=index):
            return (value, index)
        case UnaryOperation(operand=operand):
            return (operand,)
        case BooleanOperation(operands=operands) | Comparison(operands=operands):
            return operands
        case Conditional(test=test, body=body, orelse=orelse):
            return (test, body, orelse)
        case Collection(elements=elements):
            return elements
        case Dictionary(keys=keys, values=values):
            return tuple(e for pair in zip(keys, values, strict=True) for e in pair if e is not None)
        case FormattedString(parts=parts):
            return parts
        case Comprehension(element=element, value=value, generators=generators):
            found: list[Expression] = []
            for generator in generators:
                found += [generator.iterable, generator.target, *generator.conditions]
            return (*found, element) if value is None else (*found, element, value)
        case Slice(lower=lower, upper=upper, step=step):
            return tuple(e for e in (lower, upper, step) if e is not None)
        case Yield(value=value):
            return () if value is None else (value,)
        case NamedExpression(target=target, value=value):
            return (value, target)
        case Element(iterable=iterable):
            return (iterable,)
        case Entered(context=context):
            return (context,)
        case Caught(kind=kind):
            return () if kind is None else (kind,)
        case Matches(subject=subject, operands=operands):
            return (subject, *operands)
        case _:
            return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and everything below it, outermost first, without entering lambdas."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def dotted(expression: Expression) -> str | None:
    """``a.b.c`` for a chain of attributes on a name, else None."""
    parts: list[str] = []
    while isinstance(expression, Attribute):
        parts.append(expression.attr)
        expression = expression.value
    if not isinstance(expression, Name):
        return None
    parts.append(expression.id)
    return ".".join(reversed(parts))


# --- steps and terminators -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Step:
    """Base of what happens inside a block; ``span`` is that of the statement or header it belongs to."""

    span: Span


@dataclass(slots=True)
class Evaluate(Step):
    """A call, await or yield takes place; emitted before the step that uses its value."""

    expression: Expression


@dataclass(slots=True)
class Assign(Step):
    """Every target is bound to the value. ``annotation`` is that of an annotated assignment (value may be None)."""

    targets: tuple[Expression, ...]
    value: Expression | None
    annotation: Expression | None = None


@dataclass(slots=True)
class AugmentedAssign(Step):
    target: Expression
    operator: str
    value: Expression


@dataclass(slots=True)
class Discard(Step):
    """An expression statement: its value is thrown away."""

    value: Expression


@dataclass(slots=True)
class Delete(Step):
    targets: tuple[Expression, ...]


@dataclass(slots=True)
class ImportedName:
    """``bound`` is the local name; ``target`` the dotted name it stands for (``mpi4py.MPI``); ``*`` binds a star."""

    bound: str
    target: str


@dataclass(slots=True)
class Import(Step):
    names: tuple[ImportedName, ...]


@dataclass(slots=True)
class Define(Step):
    """A ``def`` or ``class`` binds ``name``; ``qualname`` finds it in ``Module.functions`` or ``Module.classes``."""

    name: str
    qualname: str
    is_class: bool


@dataclass(slots=True)
class Enter(Step):
    """The entry of a ``with`` block; ``extent`` spans the whole statement."""

    context: Expression
    extent: Span


@dataclass(slots=True)
class Leave(Step):
    """The exit of a ``with`` block, on every path out of it."""

    context: Expression


@dataclass(slots=True)
class Terminator:
    """How a block ends; ``span`` is that of the statement or header."""

    span: Span


@dataclass(slots=True)
class Jump(Terminator):
    target: int


@dataclass(slots=True)
class Branch(Terminator):
    """``kind``: if, while, for, and, or, conditional, assert, match, comprehension, except.

    For ``for`` and ``comprehension`` the test is an ``Element``: true means there is a next one. ``extent`` spans the
    whole statement with its arms.
    """

    kind: str
    test: Expression
    when_true: int
    when_false: int
    extent: Span


@dataclass(slots=True)
class Return(Terminator):
    value: Expression | None


@dataclass(slots=True)
class Raise(Terminator):
    """``value`` is None for a bare ``raise`` and for a failed assertion without message."""

    value: Expression | None


@dataclass(slots=True)
class Block:
    """Steps, then the terminator. ``handlers`` are the entry blocks an exception raised here may reach."""

    index: int
    steps: list[Step]
    terminator: Terminator
    handlers: tuple[int, ...] = ()

    @property
    def successors(self) -> tuple[int, ...]:
        """Normal control flow only, without the edges to handlers."""
        match self.terminator:
            case Jump(target=target):
                return (target,)
            case Branch(when_true=yes, when_false=no):
                return (yes, no) if yes != no else (yes,)
            case _:
                return ()


# --- definitions ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Parameter:
    """``kind``: positional (positional-only), plain, keyword, star (``*args``), double-star (``**kwargs``)."""

    name: str
    kind: str
    span: Span
    annotation: Expression | None = None
    default: Expression | None = None


@dataclass(slots=True)
class Function:
    """A function, lambda, class body or the module body; ``blocks[0]`` is the entry.

    ``qualname`` is ``<module>`` for the module body, else as Python spells it, with ``<lambda:OFFSET>`` for lambdas and
    ``@OFFSET`` appended where two definitions share a name. ``kind``: module, function, method, class, lambda.
    """

    qualname: str
    kind: str
    span: Span
    name_span: Span
    parameters: tuple[Parameter, ...]
    decorators: tuple[Expression, ...]
    blocks: list[Block]
    parent: str | None
    owner: str | None = None
    is_async: bool = False
    is_generator: bool = False
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    returns: Expression | None = None

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2].partition("@")[0]

    def steps(self) -> Iterator[Step]:
        """Every step of every block, in block order."""
        for block in self.blocks:
            yield from block.steps

    def calls(self) -> Iterator[Call]:
        """Every call once, in block order (blocks of a ``finally`` are copied, their calls are not repeated)."""
        seen: set[Span] = set()
        for step in self.steps():
            if isinstance(step, Evaluate) and isinstance(step.expression, Call) and step.expression.span not in seen:
                seen.add(step.expression.span)
                yield step.expression


@dataclass(slots=True)
class Class:
    """``methods`` maps a name to a qualified name; the body's own assignments are in function ``body``."""

    qualname: str
    span: Span
    name_span: Span
    bases: tuple[Expression, ...]
    decorators: tuple[Expression, ...]
    methods: dict[str, str]
    body: str

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2].partition("@")[0]


@dataclass(slots=True)
class Module:
    """One file. ``name`` is its dotted import name; ``is_package`` tells ``__init__.py``.

    ``statements`` holds the spans of simple statements and of compound statements' headers, sorted: a suppression on
    any of a statement's rows counts. ``faithful`` is False if the tree did not reproduce the text: such a file is
    never fixed.
    """

    path: str
    name: str
    text: str
    is_package: bool
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    statements: list[Span] = field(default_factory=list)
    faithful: bool = True
    line_starts: list[int] = field(default_factory=list)

    @property
    def body(self) -> Function:
        """The module's own statements."""
        return self.functions["<module>"]

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column, both from 1, of a character offset."""
        row = bisect_right(self.line_starts, offset)
        return row, offset - self.line_starts[row - 1] + 1

    def source(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span[0] : span[1]]

    def statement_around(self, span: Span) -> Span:
        """The smallest recorded statement that contains ``span``, or the span itself."""
        index = bisect_right(self.statements, (span[0], len(self.text) + 1))
        while index:
            index -= 1
            statement = self.statements[index]
            if statement[0] <= span[0] and span[1] <= statement[1]:
                return statement
        return span


def line_starts(text: str) -> list[int]:
    """The offset of the first character of each row; rows end at LF, CRLF or CR, as for Python."""
    starts = [0]
    index = 0
    while True:
        carriage, newline = text.find("\r", index), text.find("\n", index)
        if carriage < 0 and newline < 0:
            return starts
        if carriage < 0 or 0 <= newline < carriage:
            index = newline + 1
        else:
            index = carriage + (2 if text.startswith("\r\n", carriage) else 1)
        starts.append(index)
