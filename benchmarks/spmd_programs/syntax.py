"""The abstract syntax of a small SPMD program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WORLD = "comm"
"""The name of the communicator parameter of every function."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A number or a truth value."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A local variable."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What the user set for the whole job: 0, 1 or 2."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Rank:
    """The rank in a communicator."""

    communicator: str = WORLD


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """The size of a communicator."""

    communicator: str = WORLD


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """An operator of Python between two expressions; ``and`` and ``or`` too."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """The negation of a test."""

    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Present:
    """Whether a variable is not None, as the result of a gather is on its root alone."""

    name: str


Expression = Constant | Name | Input | Rank | Size | Binary | Not | Present


@dataclass(frozen=True, slots=True, eq=False)
class Collective:
    """A collective call; ``value`` and ``target`` are for those that pass objects."""

    operation: str
    communicator: str
    root: Expression | None = None
    reduction: str | None = None
    value: Expression | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Duplicate:
    """``Dup``."""

    target: str
    communicator: str


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """``Split``."""

    target: str
    communicator: str
    colour: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """An assignment."""

    target: str
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """Work without communication."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A call of a function of the program, with a communicator and one more argument."""

    function: str
    communicator: str
    argument: Expression
    target: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """A branch."""

    test: Expression
    body: Block
    orelse: Block = ()


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for target in range(count)``."""

    target: str
    count: Expression
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while test``; without a test it is endless."""

    test: Expression | None
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """``try`` with a handler for the exception of ``Raise``."""

    body: Block
    handler: Block


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    """``raise ValueError``."""


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """``return``, with a value in functions that are tests."""

    value: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Break:
    """``break``."""


@dataclass(frozen=True, slots=True, eq=False)
class Continue:
    """``continue``."""


Statement = (
    Collective | Duplicate | Split | Assign | Print | Call | If | For | While | Try | Raise | Return | Break | Continue
)
Block = tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function with the parameters ``comm`` and ``flag``."""

    name: str
    body: Block


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Functions and the main part; ``style`` is a choice of spellings."""

    functions: tuple[Function, ...]
    main: Block
    style: int = 0

    def function(self, name: str) -> Function | None:
        """The function of a name."""
        return next((function for function in self.functions if function.name == name), None)

    def bodies(self) -> tuple[Block, ...]:
        """The main part and the bodies of all functions."""
        return (self.main, *(function.body for function in self.functions))

    def statements(self) -> Iterator[Statement]:
        """Every statement, also those inside others."""
        for body in self.bodies():
            yield from walk(body)

    def expressions(self) -> Iterator[Expression]:
        """Every expression, also those inside others."""
        for statement in self.statements():
            for name in getattr(statement, "__slots__", ()):
                value = getattr(statement, name)
                if isinstance(value, Expression):
                    yield from parts(value)


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    match statement:
        case If(body=body, orelse=orelse):
            return body, orelse
        case For(body=body) | While(body=body):
            return (body,)
        case Try(body=body, handler=handler):
            return body, handler
    return ()


def with_blocks(statement: Statement, inner: Iterable[Block]) -> Statement:
    """The same statement with other blocks inside."""
    match statement, tuple(inner):
        case If(test=test), (body, orelse):
            return If(test, body, orelse)
        case For(target=target, count=count), (body,):
            return For(target, count, body)
        case While(test=loop_test), (body,):
            return While(loop_test, body)
        case Try(), (body, handler):
            return Try(body, handler)
    return statement


def walk(block: Block) -> Iterator[Statement]:
    """The statements of a block and those inside them."""
    for statement in block:
        yield statement
        for inner in blocks(statement):
            yield from walk(inner)


def parts(expression: Expression) -> Iterator[Expression]:
    """An expression and those inside it."""
    yield expression
    match expression:
        case Binary(left=left, right=right):
            yield from parts(left)
            yield from parts(right)
        case Not(operand=operand):
            yield from parts(operand)
