"""LibCST expressions to the expressions of the intermediate representation.

Names are interned, so that the cached form of a file has each of them once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import libcst as cst

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.formatted_strings import FormattedStringLowering
from jaxmpi_lint.analysis.frontend.literals import value_of
from jaxmpi_lint.library.python.names import NAME_TABLES
from jaxmpi_lint.library.python.sequences import FILLING_CALLS

Spans = dict[int, ir.Span]  # by the identity of the node

_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.BitXor: "^",
    cst.Not: "not",
    cst.Minus: "-",
    cst.Plus: "+",
    cst.BitInvert: "~",
    cst.And: "and",
    cst.Or: "or",
    cst.Equal: "==",
    cst.LessThan: "<",
    cst.GreaterThan: ">",
    cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=",
    cst.In: "in",
    cst.Is: "is",
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
}


def operator(node: cst.CSTNode) -> str:
    """An operator as written, with one blank between words."""
    known = _OPERATORS.get(type(node))
    if known is not None:
        return known
    if isinstance(node, cst.NotIn):
        return "not in"
    if isinstance(node, cst.IsNot):
        return "is not"
    return node.value if isinstance(node, cst.NotEqual) else "?"


class ExpressionLowering:
    """Builds expressions of one module; ``define_lambda`` receives each lambda and returns its qualified name."""

    def __init__(self, spans: Spans, define_lambda: Callable[[cst.Lambda], str]) -> None:
        self.stored: set[str] = set()  # the last parts of names that displays and containers hold
        self.looks_up_names = False  # by a computed name, as in ``globals()[name]``
        self._spans = spans
        self._define_lambda = define_lambda
        self._methods: dict[type[cst.CSTNode], Callable[[Any], ir.Expression]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.Call: self._call,
            cst.Integer: self._number,
            cst.Float: self._number,
            cst.Imaginary: self._number,
            cst.SimpleString: self._string,
            cst.ConcatenatedString: self._concatenated,
            cst.FormattedString: self._formatted,
            cst.Subscript: self._subscript,
            cst.BinaryOperation: self._binary,
            cst.UnaryOperation: self._unary,
            cst.BooleanOperation: self._boolean,
            cst.Comparison: self._comparison,
            cst.IfExp: self._conditional,
            cst.Tuple: self._collection,
            cst.List: self._collection,
            cst.Set: self._collection,
            cst.Dict: self._dictionary,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.DictComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.Lambda: self._lambda,
            cst.Await: self._await,
            cst.Yield: self._yield,
            cst.NamedExpr: self._named,
            cst.Ellipsis: self._ellipsis,
            cst.StarredElement: self._starred,
        }

    def lower(self, node: cst.CSTNode) -> ir.Expression:
        """The expression for any LibCST expression; nodes without meaning here become an empty tuple."""
        method = self._methods.get(type(node))
        if method is None:
            return ir.Collection(self.span(node), "tuple", ())
        return method(node)

    def span(self, node: cst.CSTNode) -> ir.Span:
        """The span of a node; (0, 0) for a node that generates no text itself."""
        return self._spans.get(id(node), (0, 0))

    def _name(self, node: cst.Name) -> ir.Expression:
        match node.value:
            case "None":
                return ir.Constant(self.span(node), None)
            case "True":
                return ir.Constant(self.span(node), True)
            case "False":
                return ir.Constant(self.span(node), False)
            case name:
                return ir.Name(self.span(node), sys.intern(name))

    def _attribute(self, node: cst.Attribute) -> ir.Expression:
        return ir.Attribute(self.span(node), self.lower(node.value), sys.intern(node.attr.value))

    def _call(self, node: cst.Call) -> ir.Expression:
        called = ir.Call(self.span(node), self.lower(node.func), tuple(map(self._argument, node.args)))
        if (ir.dotted(called.func) or "").rpartition(".")[2] in FILLING_CALLS:
            self.store(*(argument.value for argument in called.args))
        self.looks_up_names = self.looks_up_names or _looks_up_names(called)
        return called

    def _argument(self, node: cst.Arg) -> ir.Argument:
        keyword = sys.intern(node.keyword.value) if node.keyword is not None else None
        return ir.Argument(self.span(node), self.lower(node.value), keyword, node.star)

    def _number(self, node: cst.Integer | cst.Float | cst.Imaginary) -> ir.Expression:
        return ir.Constant(self.span(node), value_of(node.value))

    def _string(self, node: cst.SimpleString) -> ir.Expression:
        return ir.Constant(self.span(node), value_of(node.value))

    def _concatenated(self, node: cst.ConcatenatedString) -> ir.Expression:
        parts: list[ir.Expression] = []
        rest: cst.BaseExpression = node
        while isinstance(rest, cst.ConcatenatedString):
            parts.append(self.lower(rest.left))
            rest = rest.right
        parts.append(self.lower(rest))
        values = [part.value for part in parts if isinstance(part, ir.Constant)]
        if len(values) == len(parts) and all(isinstance(value, str) for value in values):
            return ir.Constant(self.span(node), "".join(str(value) for value in values))
        return ir.FormattedString(self.span(node), tuple(parts))

    def _formatted(self, node: cst.FormattedString) -> ir.Expression:
        return FormattedStringLowering(node, self.lower, self.span).lowered()

    def _subscript(self, node: cst.Subscript) -> ir.Expression:
        indices = [self._index(element.slice) for element in node.slice]
        if len(indices) == 1 and node.slice[0].comma.__class__ is not cst.Comma:
            index = indices[0]
        else:
            index = ir.Collection((indices[0].span[0], indices[-1].span[1]), "tuple", tuple(indices))
        return ir.Subscript(self.span(node), self.lower(node.value), index)

    def _index(self, node: cst.BaseSlice) -> ir.Expression:
        if isinstance(node, cst.Index):
            value = self.lower(node.value)
            return ir.Starred(value.span, value) if node.star else value
        assert isinstance(node, cst.Slice)
        lower, upper, step = (
            self.lower(part) if part is not None else None for part in (node.lower, node.upper, node.step)
        )
        return ir.Slice(self.span(node), lower, upper, step)

    def _binary(self, node: cst.BinaryOperation) -> ir.Expression:
        # A long sum leans to the left: descending in a loop keeps the interpreter's stack flat.
        chain: list[cst.BinaryOperation] = []
        left: cst.BaseExpression = node
        while isinstance(left, cst.BinaryOperation):
            chain.append(left)
            left = left.left
        result = self.lower(left)
        for part in reversed(chain):
            result = ir.BinaryOperation(self.span(part), operator(part.operator), result, self.lower(part.right))
        return result

    def _unary(self, node: cst.UnaryOperation) -> ir.Expression:
        operand = self.lower(node.expression)
        sign = operator(node.operator)
        if sign == "-" and isinstance(operand, ir.Constant) and type(operand.value) in (int, float):
            return ir.Constant(self.span(node), -operand.value)  # type: ignore[operator]
        return ir.UnaryOperation(self.span(node), sign, operand)

    def _boolean(self, node: cst.BooleanOperation) -> ir.Expression:
        name = operator(node.operator)
        operands = [self.lower(node.right)]
        left: cst.BaseExpression = node.left
        while isinstance(left, cst.BooleanOperation) and operator(left.operator) == name and not left.lpar:
            operands.append(self.lower(left.right))
            left = left.left
        operands.append(self.lower(left))
        return ir.BooleanOperation(self.span(node), name, tuple(reversed(operands)))

    def _comparison(self, node: cst.Comparison) -> ir.Expression:
        operands = [self.lower(node.left)]
        operators: list[str] = []
        for target in node.comparisons:
            operators.append(operator(target.operator))
            operands.append(self.lower(target.comparator))
        return ir.Comparison(self.span(node), tuple(operands), tuple(operators))

    def _conditional(self, node: cst.IfExp) -> ir.Expression:
        return ir.Conditional(self.span(node), self.lower(node.test), self.lower(node.body), self.lower(node.orelse))

    def _collection(self, node: cst.Tuple | cst.List | cst.Set) -> ir.Expression:
        kind = {cst.Tuple: "tuple", cst.List: "list", cst.Set: "set"}[type(node)]
        elements = tuple(self._element(element) for element in node.elements)
        self.store(*elements)
        return ir.Collection(self.span(node), kind, elements)

    def store(self, *values: ir.Expression) -> None:
        """Record a value stored in a container; a function among them may be the callee when an element is called."""
        for value in values:
            if isinstance(value, (ir.Name, ir.Attribute)):
                self.stored.add(value.id if isinstance(value, ir.Name) else value.attr)

    def _element(self, node: cst.BaseElement) -> ir.Expression:
        value = self.lower(node.value)
        return ir.Starred(self.span(node), value) if isinstance(node, cst.StarredElement) else value

    def _starred(self, node: cst.StarredElement) -> ir.Expression:
        return self._element(node)

    def _dictionary(self, node: cst.Dict) -> ir.Expression:
        keys: list[ir.Expression | None] = []
        values: list[ir.Expression] = []
        for element in node.elements:
            keys.append(self.lower(element.key) if isinstance(element, cst.DictElement) else None)
            values.append(self.lower(element.value))
        self.store(*values)
        return ir.Dictionary(self.span(node), tuple(keys), tuple(values))

    def _comprehension(self, node: cst.BaseComp) -> ir.Expression:
        kinds: dict[type[cst.CSTNode], str] = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}
        generators: list[ir.Generator] = []
        part: cst.CompFor | None = node.for_in
        while part is not None:
            conditions = tuple(self.lower(condition.test) for condition in part.ifs)
            generators.append(ir.Generator(self.lower(part.target), self.lower(part.iter), conditions))
            part = part.inner_for_in
        if isinstance(node, cst.DictComp):
            element, value = self.lower(node.key), self.lower(node.value)
        else:
            element, value = self.lower(node.elt), None  # type: ignore[attr-defined]
        return ir.Comprehension(self.span(node), kinds.get(type(node), "generator"), element, value, tuple(generators))

    def _lambda(self, node: cst.Lambda) -> ir.Expression:
        return ir.Lambda(self.span(node), self._define_lambda(node))

    def _await(self, node: cst.Await) -> ir.Expression:
        return ir.Await(self.span(node), self.lower(node.expression))

    def _yield(self, node: cst.Yield) -> ir.Expression:
        if isinstance(node.value, cst.From):
            return ir.Yield(self.span(node), self.lower(node.value.item), True)
        return ir.Yield(self.span(node), self.lower(node.value) if node.value is not None else None, False)

    def _named(self, node: cst.NamedExpr) -> ir.Expression:
        target = self.lower(node.target)
        assert isinstance(target, ir.Name)
        return ir.NamedExpression(self.span(node), target, self.lower(node.value))

    def _ellipsis(self, node: cst.Ellipsis) -> ir.Expression:
        return ir.Constant(self.span(node), ...)


def _looks_up_names(called: ir.Call) -> bool:
    """Whether a call gives an object for a computed name, or the table of all names."""
    match called:
        case ir.Call(func=ir.Name(id="getattr"), args=(_, ir.Argument(value=name), *_)):
            return not isinstance(name, ir.Constant)
        case ir.Call(func=ir.Name(id=table)):
            return table in NAME_TABLES
    return False
