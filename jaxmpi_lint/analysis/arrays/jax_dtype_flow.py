"""Statically known dtypes of JAX arrays; where JAX chooses the dtype itself, it stands for its kind, not its width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.arrays.numpy_dtype_flow import ArrayTypes, Types
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named, Value
from jaxmpi_lint.analysis.lattice.value_queries import dtype_named
from jaxmpi_lint.library.jax.dtypes import (
    BEFORE_DTYPE,
    BOOLEAN_RESULT,
    CONVERT_ELEMENT_TYPE,
    DTYPE_PACKAGES,
    INDEXED_UPDATES,
    KEEPS_DTYPE,
    KEEPS_INEXACT_DTYPE,
    NARROW,
    NUMPY_PACKAGE,
    PROMOTES,
    RANDOM_KEY,
    RANDOM_PACKAGE,
    REAL_RESULT,
    RESULT_DTYPE_PARAMETERS,
    SAME_DTYPE,
    SAMPLES_WITH_DTYPE,
)
from jaxmpi_lint.library.python.numpy_dtypes import SAME_TYPE_METHODS, SCALARS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.lattice import Environment

KEY = "key"
"""The dtype of the keys created by ``jax.random.key``."""


_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_INEXACT = ("bfloat", "complex", "float")


class JaxTypes(ArrayTypes):
    """The dtypes of numpy and JAX arrays in one function."""

    def dtype(self, expression: ir.Expression, types: Types, env: Environment) -> str | None:
        """The dtype of an array or a number; None if it is unknown."""
        match expression:
            case ir.Comparison(operators=operators) if set(operators) <= _COMPARING:
                return "bool"
            case ir.UnaryOperation(operator="not"):
                return "bool"
            case ir.UnaryOperation(operand=operand):
                return self.dtype(operand, types, env)
            case ir.BinaryOperation(operator="&" | "|" | "^", left=left, right=right):
                held = self.dtype(left, types, env)
                return held if held == self.dtype(right, types, env) else None
        return super().dtype(expression, types, env)

    def of_argument(self, expression: ir.Expression, types: Types, env: Environment) -> str | None:
        """The dtype of an argument of a function that converts plain numbers to arrays."""
        match expression:
            case ir.Constant(value=bool() | int() | float() | complex() as value):
                return SCALARS[type(value).__name__]
            case ir.Call(func=ir.Name(id=name)) if name in SCALARS:
                return SCALARS[name]
        return self.dtype(expression, types, env)

    def _step(self, step: ir.Step, types: Types, env: Environment) -> None:
        """``x += y`` creates a new JAX array with the dtype of the sum; the rows of an array have its dtype."""
        path = ir.dotted(step.target) if isinstance(step, ir.AugmentedAssign) else None
        if isinstance(step, ir.AugmentedAssign) and path in types:
            operation = ir.BinaryOperation(step.span, step.operator.rstrip("="), step.target, step.value)
            self._bind(step.target, self.dtype(operation, types, env), types)
            return
        rows = [t for t in step.targets if isinstance(t, ir.Collection)] if isinstance(step, ir.Assign) else []
        held = self.dtype(step.value, types, env) if rows and isinstance(step, ir.Assign) and step.value else None
        super()._step(step, types, env)
        for target in rows if held is not None else ():
            for element in target.elements:
                self._bind(element, held, types)

    def _dtype_named(self, value: Value) -> str | None:
        match value.entity:
            case Named(dotted) if dotted.startswith(DTYPE_PACKAGES):
                name = dotted.rpartition(".")[2]
                return name if name in NARROW else dtype_named(Value(Named(f"numpy.{name}")))
            case Literal(value=str() as name) if name in NARROW:
                return name
        return dtype_named(value)

    def _call(self, call: ir.Call, types: Types, env: Environment) -> str | None:
        bound = self._function.bound(call)
        dotted = (bound.dotted if bound is not None else None) or ""
        package, _, name = dotted.rpartition(".")
        if package == NUMPY_PACKAGE:
            return self._of_numpy_function(name, call, types, env)
        if dotted == RANDOM_KEY:
            return KEY
        if package == RANDOM_PACKAGE and name in SAMPLES_WITH_DTYPE:
            given = call.argument(2, "dtype")
            return self._type_argument(given, types, env) if given is not None else "float32"
        if dotted == CONVERT_ELEMENT_TYPE:
            return self._type_argument(call.argument(1, "new_dtype"), types, env)
        if dotted in SAME_DTYPE:
            return self._of_first(call, types, env)
        return self._of_method(call, types, env) or super()._call(call, types, env)

    def _of_numpy_function(self, name: str, call: ir.Call, types: Types, env: Environment) -> str | None:
        own = self._dtype_named(Value(Named(f"jax.numpy.{name}")))
        if own is not None:
            return own
        if name in BOOLEAN_RESULT:
            return "bool"
        if name in KEEPS_DTYPE:
            return self._of_first(call, types, env)
        if name in KEEPS_INEXACT_DTYPE:
            return self._calculated(name, call, [a.value for a in call.args if a.keyword is None], types, env)
        if name == "where":
            chosen = [call.argument(position, None) for position in (1, 2)]
            found = {self.dtype(part, types, env) for part in chosen if part is not None}
            return found.pop() if len(found) == 1 else None
        return self._constructor(name, call, types, env)

    def _of_first(self, call: ir.Call, types: Types, env: Environment) -> str | None:
        first = call.argument(0, None)
        return self.dtype(first, types, env) if first is not None else None

    def _of_method(self, call: ir.Call, types: Types, env: Environment) -> str | None:
        match call.func:
            case ir.Attribute(attr="any" | "all"):
                return "bool"
            case ir.Attribute(value=ir.Subscript(value=ir.Attribute(value=array, attr="at")), attr=name):
                return self.dtype(array, types, env) if name in INDEXED_UPDATES else None
            case ir.Attribute(value=array, attr=name) if name in KEEPS_INEXACT_DTYPE and name not in SAME_TYPE_METHODS:
                given = [array, *(argument.value for argument in call.args if argument.keyword is None)]
                return self._calculated(name, call, given, types, env)
        return None

    def _calculated(
        self, name: str, call: ir.Call, given: list[ir.Expression], types: Types, env: Environment
    ) -> str | None:
        """The dtype of a floating-point result, which is that of the first array if nothing widens it."""
        if not given or call.has_star or any(argument.keyword in RESULT_DTYPE_PARAMETERS for argument in call.args):
            return None
        held = self.dtype(given[0], types, env)
        if held is None or not held.startswith(_INEXACT) or (name in REAL_RESULT and held.startswith("complex")):
            return None
        if name in PROMOTES:
            same = all(self.dtype(g, types, env) == held or self._scalar(g, env) is not None for g in given[1:])
            return held if same else None
        return held if len(given) <= BEFORE_DTYPE else None
