"""Basic blocks under construction: the current block, jump targets, and pending cleanups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jaxmpi_lint.analysis import ir

_EFFECTS = (ir.Call, ir.Await, ir.Yield, ir.NamedExpression)


@dataclass(slots=True)
class Loop:
    """Targets of ``break`` and ``continue``, and the number of pending cleanups when the loop began."""

    after: int
    header: int
    depth: int


class BlockBuilder:
    """Builds the control-flow graph of one function; expressions with calls inside become steps and branches."""

    def __init__(self) -> None:
        self.blocks: list[ir.Block] = []
        self.handlers: tuple[int, ...] = ()
        self.loops: list[Loop] = []
        self.cleanups: list[Callable[[], None]] = []
        self.is_raising = False  # the cleanups are those before an exception
        self.guarded = 0  # pending cleanups when the innermost ``try`` began: an exception runs the later ones
        self.is_generator = False
        self.current = self.new_block()

    def new_block(self) -> int:
        """A fresh block, open until a terminator is set; unreachable until something jumps to it."""
        index = len(self.blocks)
        self.blocks.append(ir.Block(index, [], ir.Return((0, 0), None), self.handlers))
        return index

    def start(self, index: int) -> None:
        """Continue in block ``index``."""
        self.current = index

    def emit(self, step: ir.Step) -> None:
        """Append a step to the current block."""
        self.blocks[self.current].steps.append(step)

    def end(self, terminator: ir.Terminator) -> None:
        """Close the current block; what follows until the next ``start`` is unreachable."""
        self.blocks[self.current].terminator = terminator
        self.current = self.new_block()

    def jump(self, target: int, span: ir.Span) -> None:
        """Close the current block with a jump."""
        self.end(ir.Jump(span, target))

    def run_cleanups(self, depth: int) -> None:
        """Emit the cleanups of ``finally`` and ``with``, innermost first, down to ``depth`` pending ones."""
        pending = self.cleanups
        for index in range(len(pending) - 1, depth - 1, -1):
            self.cleanups = pending[:index]
            pending[index]()
        self.cleanups = pending

    def raise_here(self, terminator: ir.Raise) -> None:
        """Close the current block with an exception, after the exits that it passes on its way to a handler."""
        self.is_raising = True
        self.run_cleanups(self.guarded)
        self.is_raising = False
        self.end(terminator)

    # --- expressions ---

    def evaluate(self, expression: ir.Expression, span: ir.Span) -> None:
        """Emit the effects of evaluating an expression, in order."""
        match expression:
            case ir.Name() | ir.Constant() | ir.Lambda():
                return
            case ir.BooleanOperation():
                self._short_circuit(expression, span)
            case ir.Conditional():
                self._conditional(expression, span)
            case ir.Comprehension():
                self._comprehension(expression, span)
            case _:
                for child in ir.children(expression):
                    self.evaluate(child, span)
                self._effect(expression, span)

    def _effect(self, expression: ir.Expression, span: ir.Span) -> None:
        match expression:
            case ir.Call() | ir.Await():
                self.emit(ir.Evaluate(span, expression))
            case ir.Yield():
                self.is_generator = True
                self.emit(ir.Evaluate(span, expression))
            case ir.NamedExpression(target=target, value=value):
                self.emit(ir.Assign(span, (target,), value))

    def _short_circuit(self, expression: ir.BooleanOperation, span: ir.Span) -> None:
        if not any(has_effects(operand) for operand in expression.operands[1:]):
            self.evaluate(expression.operands[0], span)
            return
        after = self.new_block()
        for index, operand in enumerate(expression.operands):
            self.evaluate(operand, span)
            if index < len(expression.operands) - 1:
                more = self.new_block()
                yes, no = (more, after) if expression.operator == "and" else (after, more)
                self.end(ir.Branch(operand.span, expression.operator, operand, yes, no, expression.span))
                self.start(more)
        self.jump(after, span)
        self.start(after)

    def _conditional(self, expression: ir.Conditional, span: ir.Span) -> None:
        if not (has_effects(expression.body) or has_effects(expression.orelse)):
            self.evaluate(expression.test, span)
            return
        yes, no, after = self.new_block(), self.new_block(), self.new_block()
        self.branch_on(expression.test, yes, no, "conditional", span, expression.span)
        for index, arm in ((yes, expression.body), (no, expression.orelse)):
            self.start(index)
            self.evaluate(arm, span)
            self.jump(after, span)
        self.start(after)

    def _comprehension(self, expression: ir.Comprehension, span: ir.Span) -> None:
        first = expression.generators[0]
        self.evaluate(first.iterable, span)
        parts = [expression.element] + ([expression.value] if expression.value is not None else [])
        inner = [g.iterable for g in expression.generators[1:]]
        conditions = [condition for g in expression.generators for condition in g.conditions]
        if not any(has_effects(part) for part in (*parts, *inner, *conditions)):
            return
        self.emit(ir.Collect(span, expression, "begin"))
        after = self.new_block()
        exit_block = after
        for number, generator in enumerate(expression.generators):
            if number:
                self.evaluate(generator.iterable, span)
            header, body = self.new_block(), self.new_block()
            self.jump(header, span)
            self.start(header)
            element = ir.Element(generator.iterable.span, generator.iterable)
            self.end(ir.Branch(generator.iterable.span, "comprehension", element, body, exit_block, expression.span))
            self.start(body)
            self.emit(ir.Assign(span, (generator.target,), element))
            exit_block = header
            for condition in generator.conditions:
                kept = self.new_block()
                self.branch_on(condition, kept, header, "comprehension", span, expression.span)
                self.start(kept)
        for part in parts:
            self.evaluate(part, span)
        self.emit(ir.Collect(span, expression, "add"))
        self.jump(exit_block, span)
        self.start(after)
        self.emit(ir.Collect(span, expression, "end"))

    def branch_on(self, test: ir.Expression, yes: int, no: int, kind: str, span: ir.Span, extent: ir.Span) -> None:
        """Close the current block with a test; calls after ``and``/``or``/``not`` get separate branches."""
        inner, truth = ir.strip_not(test)
        if inner is not test and _splits(inner):
            self.branch_on(inner, *((yes, no) if truth else (no, yes)), kind, span, extent)
        elif isinstance(test, ir.BooleanOperation) and _splits(test):
            for operand in test.operands[:-1]:
                more = self.new_block()
                targets = (more, no) if test.operator == "and" else (yes, more)
                self.branch_on(operand, *targets, test.operator, span, extent)
                self.start(more)
            self.branch_on(test.operands[-1], yes, no, kind, span, extent)
        else:
            if not isinstance(test, ir.Matches):  # all cases of a `match` test one subject, evaluated before the first
                self.evaluate(test, span)
            self.end(ir.Branch(span, kind, test, yes, no, extent))


def _splits(expression: ir.Expression) -> bool:
    expression, _ = ir.strip_not(expression)
    return isinstance(expression, ir.BooleanOperation) and any(has_effects(e) for e in expression.operands[1:])


def has_effects(expression: ir.Expression) -> bool:
    """Whether evaluating the expression calls, awaits, yields or binds something."""
    return any(isinstance(node, _EFFECTS) for node in ir.walk(expression))
