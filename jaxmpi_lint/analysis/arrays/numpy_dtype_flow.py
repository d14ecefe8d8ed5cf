"""Statically known dtypes of numpy arrays: a forward data flow over one function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.lattice import Literal, Named, RankOf, SizeOf, Value
from jaxmpi_lint.analysis.lattice.limits import DTYPE_VISITS
from jaxmpi_lint.analysis.lattice.value_queries import dtype_named
from jaxmpi_lint.library.python.numpy_dtypes import (
    DTYPE_CLASS,
    FLOAT_BY_DEFAULT,
    FLOAT_SAMPLES,
    LIKE_ARGUMENT,
    PYTHON_FLOATS,
    SAME_TYPE_METHODS,
    SCALARS,
)

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

Types = dict[str, str]

_RANKING = ("bool", "int", "float", "complex")


class ArrayTypes:
    """The dtypes of names and fields of one function, at each of its steps."""

    def __init__(self, function: Function, depth: int = 0) -> None:
        self._function = function
        self._depth = depth
        self._entries: dict[int, Types] = {0: {}}
        self._outer: dict[str, str | None] = {}
        self._solve()

    def steps(self) -> Iterator[tuple[ir.Block, ir.Step, Environment, Types]]:
        """Every reachable step with the environment before it, and the dtypes known there."""
        current: tuple[int, Types] = (-1, {})
        for block, step, env in self._function.steps():
            if block.index != current[0]:
                current = (block.index, dict(self._entries.get(block.index, {})))
            yield block, step, env, current[1]
            self._step(step, current[1], env)

    def _solve(self) -> None:
        pending, visits = [0], [0] * len(self._function.ir.blocks)
        while pending:
            index = min(pending)
            pending.remove(index)
            visits[index] += 1
            if visits[index] > DTYPE_VISITS or self._function.flow.entries[index] is None:
                continue
            block = self._function.ir.blocks[index]
            for handler in block.handlers:
                self._flow_into(handler, {}, pending)
            after = self._through(block)
            for target in block.successors:
                self._flow_into(target, after, pending)

    def _flow_into(self, target: int, types: Types, pending: list[int]) -> None:
        known = self._entries.get(target)
        new = dict(types) if known is None else {name: held for name, held in known.items() if types.get(name) == held}
        if new != known:
            self._entries[target] = new
            if target not in pending:
                pending.append(target)

    def _through(self, block: ir.Block) -> Types:
        types = dict(self._entries[block.index])
        env = dict(self._function.flow.entries[block.index] or {})
        self._function.evaluator.calls.forget()
        for step in block.steps:
            self._step(step, types, env)
            self._function.flow.step(step, env)
        return types

    def _step(self, step: ir.Step, types: Types, env: Environment) -> None:
        match step:
            case ir.Assign(targets=targets, value=value):
                held = self.dtype(value, types, env) if value is not None else None
                for target in targets:
                    self._bind(target, held, types)
            case ir.AugmentedAssign(target=target):
                path = ir.dotted(target)
                if path is not None and types.get(path, "").startswith(("int", "uint", "bool")):
                    types.pop(path)  # an integer name may become a float one, an array may not: not distinguished
            case ir.Delete(targets=targets):
                for target in targets:
                    self._bind(target, None, types)

    def _bind(self, target: ir.Expression, held: str | None, types: Types) -> None:
        match target:
            case ir.Name() | ir.Attribute():
                path = ir.dotted(target)
                if path is None:
                    return
                for known in [name for name in types if name == path or name.startswith(path + ".")]:
                    del types[known]
                if held is not None:
                    types[path] = held
            case ir.Starred(value=value):
                self._bind(value, None, types)
            case ir.Collection(elements=elements):
                for element in elements:
                    self._bind(element, None, types)

    # --- expressions ---

    def dtype(self, expression: ir.Expression, types: Types, env: Environment) -> str | None:
        """The dtype of an array; None if it is unknown."""
        match expression:
            case ir.Name() | ir.Attribute():
                return self._named(expression, types, env)
            case ir.Subscript(value=value):
                return self.dtype(value, types, env)
            case ir.Call():
                return self._call(expression, types, env)
            case ir.BinaryOperation():
                return self._operation(expression, types, env)
            case ir.Conditional(body=body, orelse=orelse):
                held = self.dtype(body, types, env)
                return held if held == self.dtype(orelse, types, env) else None
        return None

    def _named(self, expression: ir.Name | ir.Attribute, types: Types, env: Environment) -> str | None:
        path = ir.dotted(expression)
        if path in types:
            return types[path]
        if isinstance(expression, ir.Attribute):
            return self.dtype(expression.value, types, env) if expression.attr == "T" else self._field(path)
        return self._global(expression.id)

    def _global(self, name: str) -> str | None:
        function = self._function
        if function.ir.kind == "module" or function.is_local(name) or self._depth:
            return None
        if name not in self._outer:
            self._outer[name] = None
            shared = any(name in other.globals for other in function.module.functions.values())
            scope = function.parent
            if scope is not None and scope.ir.kind == "module" and not shared:
                self._outer[name] = _only_type(type(self), scope, name)
        return self._outer[name]

    def _field(self, path: str | None) -> str | None:
        """The dtype of a field of ``self``, if all methods of the class agree on it."""
        function, own = self._function, self._function.self_name
        if path is None or own is None or path.count(".") != 1 or not path.startswith(own + ".") or self._depth:
            return None
        if path not in self._outer:
            self._outer[path] = None
            owner = function.module.classes.get(function.ir.owner or "")
            methods = list(owner.methods.values()) if owner is not None and not owner.bases else []
            found = {
                held
                for name in methods
                for held in _types_assigned(type(self), function.module_model.function(name), path.partition(".")[2])
            }
            self._outer[path] = found.pop() if len(found) == 1 else None
        return self._outer[path]

    def _call(self, call: ir.Call, types: Types, env: Environment) -> str | None:
        bound = self._function.bound(call)
        dotted = bound.dotted if bound is not None else None
        if dotted is not None and dotted.startswith("numpy."):
            return self._constructor(dotted.removeprefix("numpy."), call, types, env)
        if not isinstance(call.func, ir.Attribute):
            return None
        if call.func.attr == "astype":
            return self._type_argument(call.argument(0, "dtype"), types, env)
        if call.func.attr in SAME_TYPE_METHODS:
            return self.dtype(call.func.value, types, env)
        return None

    def _constructor(self, name: str, call: ir.Call, types: Types, env: Environment) -> str | None:
        if call.has_star:
            return None
        package, _, short = name.rpartition(".")
        if package == "random":
            return "float64" if short in FLOAT_SAMPLES else None
        position = FLOAT_BY_DEFAULT.get(name, LIKE_ARGUMENT.get(name, {"full": 2, "arange": 3}.get(name)))
        given = call.argument(position, "dtype")
        if given is not None and not ir.is_none(given):
            return self._type_argument(given, types, env)
        if name in FLOAT_BY_DEFAULT:
            return "float64"
        first = call.argument(0, None)
        if name in LIKE_ARGUMENT:
            if first is None:
                return None
            return self.dtype(first, types, env) or self._of_numbers(first, types, env, name in ("array", "asarray"))
        if name == "full":
            return SCALARS.get(self._scalar(call.argument(1, "fill_value"), env) or "")
        if name == "arange":
            kinds = [self._scalar(argument.value, env) for argument in call.args if argument.keyword is None]
            known = [kind for kind in kinds if kind is not None]
            return SCALARS.get(max(known, key=_RANKING.index)) if known and len(known) == len(kinds) else None
        return None

    def _type_argument(self, given: ir.Expression | None, types: Types, env: Environment) -> str | None:
        if given is None:
            return None
        if isinstance(given, ir.Attribute) and given.attr == "dtype":
            return self.dtype(given.value, types, env)
        if isinstance(given, ir.Call) and given.args and ir.dotted(given.func) in DTYPE_CLASS:
            given = given.args[0].value
        return self._dtype_named(self._function.value(given, env))

    def _dtype_named(self, value: Value) -> str | None:
        """The dtype that a value denotes."""
        return dtype_named(value)

    def _of_numbers(self, expression: ir.Expression, types: Types, env: Environment, scalars: bool) -> str | None:
        """The dtype that numpy gives to (nested) lists of Python numbers."""
        kind = self._kind(expression, env, scalars)
        return SCALARS.get(kind) if kind is not None else None

    def _kind(self, expression: ir.Expression, env: Environment, scalars: bool = True) -> str | None:
        if isinstance(expression, ir.BinaryOperation) and expression.operator == "*":
            for part in (expression.left, expression.right):
                if isinstance(part, ir.Collection) and part.kind == "list":
                    return self._kind(part, env)
        if isinstance(expression, ir.Collection) and expression.kind in ("list", "tuple"):
            kinds = [self._kind(element, env) for element in expression.elements]
            known = [kind for kind in kinds if kind is not None]
            return max(known, key=_RANKING.index) if known and len(known) == len(kinds) else None
        if isinstance(expression, ir.Call) and ir.dotted(expression.func) == "range":
            return "int"
        return self._scalar(expression, env) if scalars else None

    def _scalar(self, expression: ir.Expression | None, env: Environment) -> str | None:
        """The Python type of a number."""
        match expression:
            case None:
                return None
            case ir.BinaryOperation(operator=operator, left=left, right=right):
                kinds = (self._scalar(left, env), self._scalar(right, env))
                if None in kinds or operator not in ("+", "-", "*", "/", "//", "%"):
                    return None
                widest = max((kind for kind in kinds if kind is not None), key=_RANKING.index)
                return "float" if operator == "/" and widest != "complex" else max(widest, "int", key=_RANKING.index)
            case ir.Call(func=ir.Name(id="len" | "int")):
                return "int"
            case ir.Call(func=ir.Name(id="float")):
                return "float"
        match self._function.value(expression, env).entity:
            case Literal(kind=kind) if kind in _RANKING:
                return kind
            case RankOf() | SizeOf():
                return "int"
            case Named(dotted) if dotted in PYTHON_FLOATS:
                return "float"
        return None

    def _operation(self, node: ir.BinaryOperation, types: Types, env: Environment) -> str | None:
        if node.operator not in ("+", "-", "*", "/"):
            return None
        left, right = self.dtype(node.left, types, env), self.dtype(node.right, types, env)
        if left is not None and left == right:
            held = left
        elif (left is None) == (right is None):
            return None
        else:
            held = left or right or ""
            scalar = self._scalar(node.right if right is None else node.left, env)
            if scalar is None or (scalar == "float" and held.startswith(("int", "uint"))) or scalar == "complex":
                return None
        if held == "bool":  # arithmetic turns truth values into numbers, except for two operators
            return held if left == right and node.operator in ("+", "*") else None
        return None if node.operator == "/" and held.startswith(("int", "uint")) else held


def _only_type(kind: type[ArrayTypes], function: Function, name: str) -> str | None:
    """The dtype common to all assignments to a global name; None if they differ."""
    found = set(_types_assigned(kind, function, name, ""))
    return found.pop() if len(found) == 1 else None


def _types_assigned(
    kind: type[ArrayTypes], function: Function, name: str, own: str | None = None
) -> Iterator[str | None]:
    """The dtypes of all values that a function assigns to a field of its first parameter, or to a name."""
    owner = function.self_name if own is None else own
    path = f"{owner}.{name}" if owner else name
    mentioned = any(path in _written(step) for step in function.ir.steps())
    if not mentioned or function.project.is_running(function):
        return
    flow = kind(function, depth=1)
    for _, step, env, types in flow.steps():
        if path not in _written(step):
            continue
        direct = isinstance(step, ir.Assign) and any(ir.dotted(target) == path for target in step.targets)
        if isinstance(step, ir.Assign) and ir.is_none(step.value):
            continue
        yield flow.dtype(step.value, types, env) if direct and isinstance(step, ir.Assign) and step.value else None


def _written(step: ir.Step) -> set[str]:
    """The names and fields that a step binds; elements of a container are not among them."""
    found: set[str] = set()
    stack: list[ir.Expression] = list(step.targets) if isinstance(step, ir.Assign) else []
    while stack:
        target = stack.pop()
        match target:
            case ir.Name() | ir.Attribute():
                path = ir.dotted(target)
                if path is not None:
                    found.add(path)
            case ir.Starred(value=value):
                stack.append(value)
            case ir.Collection(elements=elements):
                stack.extend(elements)
    return found
