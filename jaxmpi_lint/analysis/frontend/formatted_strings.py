"""The parts of formatted strings: texts without escapes, values, and how the values are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.literals import value_of


class FormattedStringLowering:
    """Lowers the parts of one string; ``lower`` and ``span`` are those of its file."""

    def __init__(
        self,
        node: cst.FormattedString,
        lower: Callable[[cst.CSTNode], ir.Expression],
        span: Callable[[cst.CSTNode], ir.Span],
    ) -> None:
        self._node = node
        self._lower = lower
        self._span = span

    def lowered(self) -> ir.FormattedString:
        """The whole string."""
        return self._lowered(self._span(self._node), self._node.parts)

    def _lowered(self, span: ir.Span, given: Sequence[cst.BaseFormattedStringContent]) -> ir.FormattedString:
        parts: list[ir.Expression] = []
        formats: list[int] = []
        for part in given:
            if isinstance(part, cst.FormattedStringText):
                parts.append(ir.Constant(self._span(part), self._text(part.value)))
            elif isinstance(part, cst.FormattedStringExpression):
                self._value(part, parts, formats)
        return ir.FormattedString(span, tuple(parts), tuple(formats))

    def _value(self, part: cst.FormattedStringExpression, parts: list[ir.Expression], formats: list[int]) -> None:
        """Add a value, and after it how it is written: its conversion such as ``!r``, and its format."""
        value = self._lower(part.expression)
        conversion = part.conversion
        if part.equal is not None:
            parts.append(ir.Constant(value.span, _source(part)))
            conversion = conversion or (None if part.format_spec else "r")
        parts.append(value)
        if conversion is not None:
            formats.append(len(parts))
            parts.append(ir.Constant(value.span, f"!{conversion}"))
        if part.format_spec:
            form = self._lowered(value.span, part.format_spec)
            formats.append(len(parts))
            is_plain = len(form.parts) == 1 and isinstance(form.parts[0], ir.Constant)
            parts.append(form.parts[0] if is_plain else form)

    def _text(self, text: str) -> str:
        """The text that a piece of the source stands for."""
        quote = self._node.end
        literal = value_of(f"{quote}{text}{quote}") if "\\" in text and "r" not in self._node.prefix else text
        return str(literal).replace("{{", "{").replace("}}", "}")


def _source(part: cst.FormattedStringExpression) -> str:
    """What ``{value=}`` writes before the value."""
    empty = cst.Module([])
    equal = "" if part.equal is None else empty.code_for_node(part.equal)
    around = part.whitespace_before_expression, part.expression, part.whitespace_after_expression
    return "".join(map(empty.code_for_node, around)) + equal
