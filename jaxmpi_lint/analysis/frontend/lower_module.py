"""Lowering of a LibCST module: definitions, statements and control flow become the intermediate representation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.cfg_builder import BlockBuilder
from jaxmpi_lint.analysis.frontend.lower_expressions import ExpressionLowering, Spans
from jaxmpi_lint.analysis.frontend.lower_statements import StatementLowering
from jaxmpi_lint.sources.lexical_scan import line_starts


class ModuleLowering:
    """Owns the tables of one module while its functions are lowered."""

    def __init__(self, module: ir.Module, spans: Spans) -> None:
        self.module = module
        self.spans = spans
        self.expressions = ExpressionLowering(spans, self._define_lambda)
        self._scopes: list[tuple[str, str]] = []  # (qualified name, kind) of the enclosing definitions

    def run(self, tree: cst.Module) -> None:
        """Fill the module's functions, classes and statements."""
        blocks, _ = self._lower_body("<module>", "module", tree.body)
        whole = (0, len(self.module.text))
        self.module.functions["<module>"] = ir.Function(
            "<module>", "module", whole, (0, 0), (), (), blocks, None, globals=frozenset()
        )
        self.module.statements.sort()
        self.module.stored_names = frozenset(self.expressions.stored)
        self.module.looks_up_names = self.expressions.looks_up_names

    def statement(self, span: ir.Span) -> None:
        """Record a statement or header: suppressions on its rows count."""
        self.module.statements.append(span)

    # --- definitions ---

    def define_function(self, node: cst.FunctionDef, decorators: tuple[ir.Expression, ...]) -> ir.Function:
        """Lower a ``def`` and everything in it but its decorators."""
        span = self.expressions.span(node)
        qualname = self._qualname(node.name.value, span[0])
        parent, kind = self._scopes[-1]
        parameters = self.parameters(node.params)
        body = node.body.body
        blocks, statements = self._lower_body(qualname, "function", body)
        function = ir.Function(
            qualname,
            "method" if kind == "class" else "function",
            span,
            self.expressions.span(node.name),
            parameters,
            decorators,
            blocks,
            parent,
            owner=parent if kind == "class" else None,
            is_async=node.asynchronous is not None,
            is_generator=statements.flow.is_generator,
            globals=frozenset(statements.globals),
            nonlocals=frozenset(statements.nonlocals),
            returns=self.expressions.lower(node.returns.annotation) if node.returns is not None else None,
        )
        self.module.functions[qualname] = function
        return function

    def define_class(self, node: cst.ClassDef, decorators: tuple[ir.Expression, ...]) -> ir.Class:
        """Lower a ``class``; its body is a function of kind ``class``."""
        span = self.expressions.span(node)
        qualname = self._qualname(node.name.value, span[0])
        parent = self._scopes[-1][0]
        blocks, statements = self._lower_body(qualname, "class", node.body.body)
        body = f"{qualname}.<body>"
        name_span = self.expressions.span(node.name)
        self.module.functions[body] = ir.Function(body, "class", span, name_span, (), (), blocks, parent)
        defined = ir.Class(
            qualname,
            span,
            name_span,
            tuple(self.expressions.lower(base.value) for base in node.bases),
            decorators,
            statements.methods,
            body,
            {one.keyword.value: self.expressions.lower(one.value) for one in node.keywords if one.keyword is not None},
        )
        self.module.classes[qualname] = defined
        return defined

    def _define_lambda(self, node: cst.Lambda) -> str:
        span = self.expressions.span(node)
        qualname = self._qualname(f"<lambda:{span[0]}>", span[0])
        flow = BlockBuilder()
        self._scopes.append((qualname, "lambda"))
        value = self.expressions.lower(node.body)
        self._scopes.pop()
        flow.evaluate(value, value.span)
        flow.end(ir.Return(value.span, value))
        parent = self._scopes[-1][0]
        self.module.functions[qualname] = ir.Function(
            qualname, "lambda", span, span, self.parameters(node.params), (), flow.blocks, parent
        )
        return qualname

    def _lower_body(
        self, qualname: str, kind: str, body: Sequence[cst.BaseStatement | cst.BaseSmallStatement]
    ) -> tuple[list[ir.Block], StatementLowering]:
        self._scopes.append((qualname, kind))
        statements = StatementLowering(self)
        statements.body(body)
        statements.flow.end(ir.Return((0, 0), None))
        self._scopes.pop()
        return statements.flow.blocks, statements

    def _qualname(self, name: str, offset: int) -> str:
        scopes = [scope for scope, kind in self._scopes if kind != "module"]
        kinds = [kind for _, kind in self._scopes]
        prefix = ""
        if scopes:
            prefix = scopes[-1] + ("." if kinds[-1] == "class" else ".<locals>.")
        qualname = prefix + name
        if qualname in self.module.functions or qualname in self.module.classes:
            qualname = f"{qualname}@{offset}"
        return qualname

    def parameters(self, node: cst.Parameters) -> tuple[ir.Parameter, ...]:
        """Formal parameters in the order of their positions."""
        found: list[ir.Parameter] = []
        groups: tuple[tuple[str, Sequence[Any]], ...] = (
            ("positional", node.posonly_params),
            ("plain", node.params),
            ("star", [node.star_arg] if isinstance(node.star_arg, cst.Param) else []),
            ("keyword", node.kwonly_params),
            ("double-star", [node.star_kwarg] if node.star_kwarg is not None else []),
        )
        lower: Callable[[cst.CSTNode], ir.Expression] = self.expressions.lower
        for kind, params in groups:
            for param in params:
                annotation = lower(param.annotation.annotation) if param.annotation is not None else None
                default = lower(param.default) if param.default is not None else None
                found.append(
                    ir.Parameter(param.name.value, kind, self.expressions.span(param.name), annotation, default)
                )
        return tuple(found)


def lower_module(tree: cst.Module, spans: Spans, path: str, name: str, is_package: bool, text: str) -> ir.Module:
    """The intermediate representation of a parsed file."""
    module = ir.Module(path, name, text, is_package, line_starts=line_starts(text))
    ModuleLowering(module, spans).run(tree)
    return module
