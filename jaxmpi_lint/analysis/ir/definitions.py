"""Functions, classes and modules."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from jaxmpi_lint.analysis.ir.expressions import Call, Expression, Span, dotted
from jaxmpi_lint.analysis.ir.flow import Block, Evaluate, Step

MAX_BLOCKS = 1500
"""Functions with more blocks are not analysed: the cost of path queries grows faster than the number of blocks."""


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

    ``qualname`` is ``<module>`` for the module body, otherwise as in Python, with ``<lambda:OFFSET>`` for lambdas and
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
    _steps: list[Step] | None = field(default=None, init=False, repr=False, compare=False)
    _calls: list[Call] | None = field(default=None, init=False, repr=False, compare=False)
    _placed_calls: list[tuple[int, int, Call]] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2].partition("@")[0]

    @property
    def attribute(self) -> str:
        """The key of a method in its class: reading a property runs its getter, so its setter has a separate one."""
        changing = (f"{self.name}.setter", f"{self.name}.deleter")
        found = (dotted(decorator) for decorator in self.decorators)
        return next((name for name in found if name in changing), self.name)

    @property
    def is_too_large(self) -> bool:
        """Whether the function is excluded from the analysis."""
        return len(self.blocks) > MAX_BLOCKS

    def steps(self) -> Sequence[Step]:
        """Every step of every block, in block order."""
        if self._steps is None:
            self._steps = [step for block in self.blocks for step in block.steps]
        return self._steps

    def calls(self) -> Sequence[Call]:
        """Every call once, in block order (blocks of a ``finally`` are copied, their calls are not repeated)."""
        if self._calls is None:
            calls: dict[Span, Call] = {}
            for _, _, call in self.placed_calls():
                calls.setdefault(call.span, call)
            self._calls = list(calls.values())
        return self._calls

    def placed_calls(self) -> Sequence[tuple[int, int, Call]]:
        """Every call with its block and its index there, those of a ``finally`` in each of its copies."""
        if self._placed_calls is None:
            self._placed_calls = [
                (block.index, index, step.expression)
                for block in self.blocks
                for index, step in enumerate(block.steps)
                if isinstance(step, Evaluate) and isinstance(step.expression, Call)
            ]
        return self._placed_calls


@dataclass(slots=True)
class Class:
    """``methods`` maps a name to a qualified name; the body's own assignments are in function ``body``.

    ``keywords`` are the settings in the head of the definition, such as ``metaclass=ABCMeta``.
    """

    qualname: str
    span: Span
    name_span: Span
    bases: tuple[Expression, ...]
    decorators: tuple[Expression, ...]
    methods: dict[str, str]
    body: str
    keywords: dict[str, Expression] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The last part of the qualified name."""
        return self.qualname.rpartition(".")[2].partition("@")[0]


@dataclass(slots=True)
class Module:
    """One file. ``name`` is its dotted import name; ``is_package`` marks ``__init__.py``.

    ``statements`` holds the spans of simple statements and of compound statements' headers, sorted: a suppression on
    any of a statement's rows counts. ``faithful`` is False if the tree did not reproduce the text: such a file is never
    fixed. ``stored_names`` are the last parts of names that containers of the file hold, as in ``{"start":
    self.start}``; ``looks_up_names`` if objects are looked up by computed names, as in ``globals()[name]``.
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
    stored_names: frozenset[str] = frozenset()
    looks_up_names: bool = False

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

    def line(self, span: Span) -> str:
        """The text of a span on one line: each run of white space is one space."""
        return " ".join(self.source(span).split())

    def statement_around(self, span: Span) -> Span:
        """The smallest recorded statement that contains ``span``, or the span itself."""
        index = bisect_right(self.statements, (span[0], len(self.text) + 1))
        while index:
            index -= 1
            statement = self.statements[index]
            if statement[0] <= span[0] and span[1] <= statement[1]:
                return statement
        return span
