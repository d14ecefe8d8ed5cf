"""Values at the place where an expression is written, which later changes of the same object do not affect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Value


class Moments:
    """The values in one function; ``function.get(Moments)``."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[tuple[type, ir.Span], Value] = {}

    def value(self, expression: ir.Expression) -> Value:
        """The value of an expression before the statement that it is part of."""
        key = type(expression), expression.span
        if key not in self._known:
            self._known[key] = self._found(expression)
        return self._known[key]

    def _found(self, expression: ir.Expression) -> Value:
        """At the first step with the expression; an expression that is no part of a step has its value at the end."""
        start, end = expression.span
        around = [step for step in self._function.ir.steps() if step.span[0] <= start and end <= step.span[1]]
        first = min(around, key=lambda step: step.span[1] - step.span[0], default=None)
        for _, _, env in self._function.steps(lambda step: step is first) if first is not None else ():
            return self._function.value(expression, env)
        return self._function.value(expression, self._function.flow.exit)
