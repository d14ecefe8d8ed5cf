"""Steps, terminators and basic blocks: effects in execution order."""

from __future__ import annotations

from dataclasses import dataclass

from jaxmpi_lint.analysis.ir.expressions import Comprehension, Constant, Expression, Span


@dataclass(slots=True)
class Step:
    """Base class of the effects in a block; ``span`` is that of the statement or header it belongs to."""

    span: Span


@dataclass(slots=True)
class Evaluate(Step):
    """Evaluation of a call, await or yield; emitted before the step that uses its value."""

    expression: Expression


@dataclass(slots=True)
class Assign(Step):
    """Binding of every target to the value. ``annotation`` is that of an annotated assignment (value may be None)."""

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
    """An expression statement: its value is discarded."""

    value: Expression


@dataclass(slots=True)
class Keep(Step):
    """The value of a ``return`` before the ``finally`` and the ends of ``with`` that run first."""

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
    """The exit of a ``with`` block, on every path out of it; ``is_raised`` if an exception is the reason."""

    context: Expression
    is_raised: bool = False


@dataclass(slots=True)
class Collect(Step):
    """A comprehension whose parts contain calls: it begins, adds the element of a pass, or ends.

    Its passes are branches and blocks; ``action`` is ``begin``, ``add`` or ``end``.
    """

    comprehension: Comprehension
    action: str


@dataclass(slots=True)
class Handler:
    """One ``except``: its entry block, the classes it catches (None: everything), and its text."""

    entry: int
    kind: Expression | None
    span: Span


@dataclass(slots=True)
class Try(Step):
    """The beginning of a ``try``: the text of its body, of its ``else`` and of the whole statement."""

    body: Span
    orelse: Span | None
    handlers: tuple[Handler, ...]
    extent: Span


@dataclass(slots=True)
class Terminator:
    """Terminator of a block; ``span`` is that of the statement or header."""

    span: Span


@dataclass(slots=True)
class Jump(Terminator):
    target: int


@dataclass(slots=True)
class Branch(Terminator):
    """``kind``: if, while, for, and, or, conditional, assert, match, comprehension, except.

    For ``for`` and ``comprehension`` the test is an ``Element``: true means there is a next one. ``extent`` spans the
    whole statement with all alternatives.
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
    """``value`` is None for a bare ``raise`` and for a failed assertion without message; ``from cause``."""

    value: Expression | None
    cause: Expression | None = None


@dataclass(slots=True)
class Block:
    """Steps, then the terminator. ``handlers`` are the entry blocks an exception raised here may reach."""

    index: int
    steps: list[Step]
    terminator: Terminator
    handlers: tuple[int, ...] = ()

    @property
    def successors(self) -> tuple[int, ...]:
        """Normal control flow only, without the edges to handlers, and without the side that ``if True`` excludes."""
        match self.terminator:
            case Jump(target=target):
                return (target,)
            case Branch(kind="if", test=Constant(value=value), when_true=yes, when_false=no):
                return (yes if value else no,)
            case Branch(when_true=yes, when_false=no):
                return (yes, no) if yes != no else (yes,)
            case _:
                return ()
