"""Lowering of the statements of one function body to basic blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import libcst as cst

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.cfg_builder import BlockBuilder, Loop
from jaxmpi_lint.analysis.frontend.imported_names import imported, imported_from
from jaxmpi_lint.analysis.frontend.lower_expressions import operator
from jaxmpi_lint.analysis.frontend.patterns import has_parts, pattern_operands

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.frontend.lower_expressions import ExpressionLowering

_CATCH_ALL = frozenset({"Exception", "BaseException"})


class Scope(Protocol):
    """The context in which statements are lowered: the module, which collects the inner functions and classes."""

    expressions: ExpressionLowering

    def statement(self, span: ir.Span) -> None:
        """Record a statement or header."""

    def define_function(self, node: cst.FunctionDef, decorators: tuple[ir.Expression, ...]) -> ir.Function:
        """Lower a function and everything in it."""

    def define_class(self, node: cst.ClassDef, decorators: tuple[ir.Expression, ...]) -> ir.Class:
        """Lower a class and everything in it."""


class StatementLowering:
    """Lowers one body; ``flow`` holds its blocks, ``methods`` the methods that a class body defines."""

    def __init__(self, owner: Scope) -> None:
        self.owner = owner
        self.flow = BlockBuilder()
        self.methods: dict[str, str] = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self._lower = owner.expressions.lower
        self._span = owner.expressions.span
        self._small: dict[type[cst.CSTNode], Callable[[Any, ir.Span], None]] = {
            cst.Expr: self._expression,
            cst.Assign: self._assign,
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.Return: self._return,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Break: self._break,
            cst.Continue: self._continue,
            cst.Import: self._import,
            cst.ImportFrom: self._import,
            cst.Del: self._delete,
            cst.Global: self._global,
            cst.Nonlocal: self._nonlocal,
        }
        self._compound: dict[type[cst.CSTNode], Callable[[Any], None]] = {
            cst.If: self._if,
            cst.While: self._while,
            cst.For: self._for,
            cst.Try: self._try,
            cst.TryStar: self._try,
            cst.With: self._with,
            cst.Match: self._match,
            cst.FunctionDef: self._function,
            cst.ClassDef: self._class,
        }

    def body(self, statements: Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> None:
        """Lower statements in order."""
        for statement in statements:
            if isinstance(statement, cst.SimpleStatementLine):
                self.owner.statement(self._span(statement))
                for small in statement.body:
                    self._simple(small)
            elif isinstance(statement, cst.BaseSmallStatement):
                self.owner.statement(self._span(statement))
                self._simple(statement)
            else:
                self._compound[type(statement)](statement)

    def _simple(self, node: cst.BaseSmallStatement) -> None:
        method = self._small.get(type(node))
        if method is not None:
            method(node, self._span(node))

    def _suite(self, node: cst.BaseSuite) -> None:
        self.body(node.body)

    def _header(self, node: cst.CSTNode, last: ir.Expression | None) -> ir.Span:
        start = self._span(node)[0]
        span = (start, last.span[1] if last is not None and last.span[1] > start else start + 4)
        self.owner.statement(span)
        return span

    # --- simple statements ---

    def _expression(self, node: cst.Expr, span: ir.Span) -> None:
        value = self._lower(node.value)
        self.flow.evaluate(value, span)
        self.flow.emit(ir.Discard(span, value))

    def _assign(self, node: cst.Assign, span: ir.Span) -> None:
        value = self._lower(node.value)
        targets = tuple(self._lower(target.target) for target in node.targets)
        self.flow.evaluate(value, span)
        self._evaluate_targets(targets, span)
        if any(isinstance(target, ir.Subscript) for target in targets):
            self.owner.expressions.store(value)
        self.flow.emit(ir.Assign(span, targets, value))

    def _evaluate_targets(self, targets: Sequence[ir.Expression], span: ir.Span) -> None:
        for target in targets:
            if not isinstance(target, ir.Name):
                self.flow.evaluate(target, span)

    def _annotated(self, node: cst.AnnAssign, span: ir.Span) -> None:
        value = self._lower(node.value) if node.value is not None else None
        if value is not None:
            self.flow.evaluate(value, span)
        annotation = self._lower(node.annotation.annotation)
        self.flow.emit(ir.Assign(span, (self._lower(node.target),), value, annotation))

    def _augmented(self, node: cst.AugAssign, span: ir.Span) -> None:
        target, value = self._lower(node.target), self._lower(node.value)
        self._evaluate_targets((target,), span)  # before the value, unlike those of a plain assignment
        self.flow.evaluate(value, span)
        self.flow.emit(ir.AugmentedAssign(span, target, operator(node.operator), value))

    def _return(self, node: cst.Return, span: ir.Span) -> None:
        value = self._lower(node.value) if node.value is not None else None
        if value is not None:
            self.flow.evaluate(value, span)
            if self.flow.cleanups and not isinstance(value, ir.Constant | ir.Call):
                self.flow.emit(ir.Keep(span, value))
        self.flow.run_cleanups(0)
        self.flow.end(ir.Return(span, value))

    def _raise(self, node: cst.Raise, span: ir.Span) -> None:
        value = self._lower(node.exc) if node.exc is not None else None
        if value is not None:
            self.flow.evaluate(value, span)
        cause = self._lower(node.cause.item) if node.cause is not None else None
        if cause is not None:
            self.flow.evaluate(cause, span)
        self.flow.raise_here(ir.Raise(span, value, cause if isinstance(cause, ir.Name | ir.Constant) else None))

    def _assert(self, node: cst.Assert, span: ir.Span) -> None:
        passed, failed = self.flow.new_block(), self.flow.new_block()
        self.flow.branch_on(self._lower(node.test), passed, failed, "assert", span, span)
        self.flow.start(failed)
        message = self._lower(node.msg) if node.msg is not None else None
        if message is not None:
            self.flow.evaluate(message, span)
        self.flow.raise_here(ir.Raise(span, message))
        self.flow.start(passed)

    def _break(self, node: cst.Break, span: ir.Span) -> None:
        if self.flow.loops:
            loop = self.flow.loops[-1]
            self.flow.run_cleanups(loop.depth)
            self.flow.jump(loop.after, span)

    def _continue(self, node: cst.Continue, span: ir.Span) -> None:
        if self.flow.loops:
            loop = self.flow.loops[-1]
            self.flow.run_cleanups(loop.depth)
            self.flow.jump(loop.header, span)

    def _import(self, node: cst.Import | cst.ImportFrom, span: ir.Span) -> None:
        names = imported_from(node) if isinstance(node, cst.ImportFrom) else imported(node)
        self.flow.emit(ir.Import(span, tuple(names)))

    def _delete(self, node: cst.Del, span: ir.Span) -> None:
        target = self._lower(node.target)
        targets = target.elements if isinstance(target, ir.Collection) else (target,)
        self._evaluate_targets(targets, span)
        self.flow.emit(ir.Delete(span, targets))

    def _global(self, node: cst.Global, span: ir.Span) -> None:
        self.globals.update(item.name.value for item in node.names)

    def _nonlocal(self, node: cst.Nonlocal, span: ir.Span) -> None:
        self.nonlocals.update(item.name.value for item in node.names)

    # --- definitions ---

    def _decorators(self, decorators: Sequence[cst.Decorator]) -> tuple[ir.Expression, ...]:
        lowered = []
        for decorator in decorators:
            span = self._span(decorator)
            self.owner.statement(span)
            lowered.append(self._lower(decorator.decorator))
            self.flow.evaluate(lowered[-1], span)
        return tuple(lowered)

    def _function(self, node: cst.FunctionDef) -> None:
        decorators = self._decorators(node.decorators)
        function = self.owner.define_function(node, decorators)
        span = self._header(node, ir.Name(self._span(node.params), ""))
        for parameter in function.parameters:
            if parameter.default is not None:
                self.flow.evaluate(parameter.default, span)
        self.methods[function.attribute] = function.qualname
        self.flow.emit(ir.Define(span, node.name.value, function.qualname, False))

    def _class(self, node: cst.ClassDef) -> None:
        decorators = self._decorators(node.decorators)
        defined = self.owner.define_class(node, decorators)
        span = self._header(node, defined.bases[-1] if defined.bases else None)
        for base in defined.bases:
            self.flow.evaluate(base, span)
        self.flow.emit(ir.Define(span, node.name.value, defined.qualname, True))

    # --- compound statements ---

    def _if(self, node: cst.If) -> None:
        test = self._lower(node.test)
        span = self._header(node, test)
        yes, no, after = self.flow.new_block(), self.flow.new_block(), self.flow.new_block()
        self.flow.branch_on(test, yes, no, "if", span, self._span(node))
        self.flow.start(yes)
        self._suite(node.body)
        self.flow.jump(after, span)
        self.flow.start(no)
        if isinstance(node.orelse, cst.If):
            self._if(node.orelse)
        elif node.orelse is not None:
            self._suite(node.orelse.body)
        self.flow.jump(after, span)
        self.flow.start(after)

    def _while(self, node: cst.While) -> None:
        test = self._lower(node.test)
        span = self._header(node, test)
        header = self.flow.new_block()
        self.flow.jump(header, span)
        self.flow.start(header)
        body, otherwise, after = self.flow.new_block(), self.flow.new_block(), self.flow.new_block()
        self.flow.branch_on(test, body, otherwise, "while", span, self._span(node))
        self._loop_body(node.body, body, Loop(after, header, len(self.flow.cleanups)), span)
        self._loop_else(node.orelse, otherwise, after, span)

    def _for(self, node: cst.For) -> None:
        iterable = self._lower(node.iter)
        span = self._header(node, iterable)
        self.flow.evaluate(iterable, span)
        header = self.flow.new_block()
        self.flow.jump(header, span)
        self.flow.start(header)
        body, otherwise, after = self.flow.new_block(), self.flow.new_block(), self.flow.new_block()
        element = ir.Element(iterable.span, iterable)
        self.flow.end(ir.Branch(span, "for", element, body, otherwise, self._span(node)))
        self.flow.start(body)
        target = self._lower(node.target)
        self._evaluate_targets((target,), span)
        self.flow.emit(ir.Assign(span, (target,), element))
        self._loop_body(node.body, self.flow.current, Loop(after, header, len(self.flow.cleanups)), span)
        self._loop_else(node.orelse, otherwise, after, span)

    def _loop_body(self, body: cst.BaseSuite, start: int, loop: Loop, span: ir.Span) -> None:
        self.flow.loops.append(loop)
        self.flow.start(start)
        self._suite(body)
        self.flow.jump(loop.header, span)
        self.flow.loops.pop()

    def _loop_else(self, orelse: cst.Else | None, start: int, after: int, span: ir.Span) -> None:
        self.flow.start(start)
        if orelse is not None:
            self._suite(orelse.body)
        self.flow.jump(after, span)
        self.flow.start(after)

    def _with(self, node: cst.With) -> None:
        contexts: list[ir.Expression] = []
        for item in node.items:
            context = self._lower(item.item)
            contexts.append(context)
        span = self._header(node, contexts[-1])
        for item, context in zip(node.items, contexts, strict=True):
            self.flow.evaluate(context, span)
            self.flow.emit(ir.Enter(span, context, self._span(node)))
            if item.asname is not None:
                target = self._lower(item.asname.name)
                self._evaluate_targets((target,), span)
                self.flow.emit(ir.Assign(span, (target,), ir.Entered(context.span, context)))

        def leave() -> None:
            for context in reversed(contexts):
                self.flow.emit(ir.Leave(span, context, self.flow.is_raising))

        self.flow.cleanups = [*self.flow.cleanups, leave]
        self._suite(node.body)
        self.flow.cleanups = self.flow.cleanups[:-1]
        leave()

    def _match(self, node: cst.Match) -> None:
        subject = self._lower(node.subject)
        span = self._header(node, subject)
        self.flow.evaluate(subject, span)
        after = self.flow.new_block()
        for case in node.cases:
            operands, names, irrefutable = pattern_operands(case.pattern, self._lower)
            is_certain = irrefutable and case.guard is None
            test = ir.Matches(subject.span, subject, operands, is_certain, has_parts(case.pattern))
            header = self._header(case, self._lower(case.guard) if case.guard is not None else None)
            yes, no = self.flow.new_block(), self.flow.new_block()
            self.flow.branch_on(test, yes, no, "match", header, self._span(node))
            self.flow.start(yes)
            for name in names:
                self.flow.emit(ir.Assign(header, (name,), subject))
            if case.guard is not None:
                guarded = self.flow.new_block()
                self.flow.branch_on(self._lower(case.guard), guarded, no, "match", header, self._span(node))
                self.flow.start(guarded)
            self._suite(case.body)
            self.flow.jump(after, header)
            self.flow.start(no)
        self.flow.jump(after, span)
        self.flow.start(after)

    # --- exceptions ---

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        span = self._header(node, None)
        flow = self.flow
        outer_handlers, outer_cleanups, outer_guarded = flow.handlers, flow.cleanups, flow.guarded
        final = node.finalbody
        failed = -1
        if final is not None:
            failed = flow.new_block()
            flow.cleanups = [*outer_cleanups, lambda: self._suite(final.body)]
        flow.guarded = len(flow.cleanups)
        around = (failed, *outer_handlers) if final is not None else outer_handlers
        entries = [flow.new_block() for _ in node.handlers]
        catch_all = any(self._catches_all(handler) for handler in node.handlers)
        after = flow.new_block()
        flow.handlers = tuple(entries) if catch_all else (*entries, *around)
        start = flow.new_block()
        flow.emit(self._tried(node, span, entries))
        flow.jump(start, span)
        flow.start(start)
        self._suite(node.body)
        flow.handlers = around
        otherwise = flow.new_block()
        flow.jump(otherwise, span)
        flow.start(otherwise)
        if node.orelse is not None:
            self._suite(node.orelse.body)
        flow.jump(after, span)
        handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
        for handler, entry in zip(handlers, entries, strict=True):
            flow.blocks[entry].handlers = around
            self._handler(handler, entry, after)
        flow.handlers, flow.cleanups, flow.guarded = outer_handlers, outer_cleanups, outer_guarded
        flow.blocks[after].handlers = outer_handlers
        flow.start(after)
        if final is not None:
            self._suite(final.body)
            joined = flow.new_block()
            flow.jump(joined, span)
            flow.blocks[failed].handlers = outer_handlers
            flow.start(failed)
            self._suite(final.body)
            flow.raise_here(ir.Raise(span, None))
            flow.start(joined)

    def _tried(self, node: cst.Try | cst.TryStar, span: ir.Span, entries: Sequence[int]) -> ir.Try:
        handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler] = node.handlers
        found = tuple(
            ir.Handler(entry, self._lower(handler.type) if handler.type is not None else None, self._span(handler))
            for handler, entry in zip(handlers, entries, strict=True)
        )
        orelse = self._span(node.orelse) if node.orelse is not None else None
        return ir.Try(span, self._span(node.body), orelse, found, self._span(node))

    def _catches_all(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
        return handler.type is None or (isinstance(handler.type, cst.Name) and handler.type.value in _CATCH_ALL)

    def _handler(self, handler: cst.ExceptHandler | cst.ExceptStarHandler, entry: int, after: int) -> None:
        kind = self._lower(handler.type) if handler.type is not None else None
        span = self._header(handler, kind)
        self.flow.start(entry)
        if handler.name is not None:
            target = self._lower(handler.name.name)
            self.flow.emit(ir.Assign(span, (target,), ir.Caught(span, kind)))
        self._suite(handler.body)
        self.flow.jump(after, span)
