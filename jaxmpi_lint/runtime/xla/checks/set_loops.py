"""Loops whose order is that of a set of strings, which differs between processes.

Python salts the hashes of strings in every process, so the iteration order of equal sets differs between processes.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from jaxmpi_lint.runtime.xla.checks.scenes import Scene, is_dictionary, value, variable

_ITERATOR = type(iter(set[object]()))
_DEEPEST = 8  # definitions and calls that are followed
_SETS = frozenset({"set", "frozenset"})
_KEEP_ORDER = {"list": 0, "tuple": 0, "iter": 0, "enumerate": 0, "reversed": 0, "zip": 0, "map": 1, "filter": 1}
_VIEWS = frozenset({"keys", "values", "items", "copy", "union", "intersection", "difference", "symmetric_difference"})
_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMBINE = ast.BitOr | ast.BitAnd | ast.BitXor | ast.Sub | ast.Add


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that a frame executes."""

    frame: FrameType
    names: tuple[str, ...]  # of the loop variables
    over: ast.expr
    body: tuple[ast.AST, ...]
    line: int


def set_loop(scene: Scene) -> Loop | None:
    """The innermost loop around the executed node that iterates over a set, or in the order of one."""
    return next((loop for loop in _loops(scene) if _is_unordered(loop, scene)), None)


def _loops(scene: Scene) -> Iterator[Loop]:
    child = scene.node
    for parent in scene.around:
        if isinstance(parent, ast.For | ast.AsyncFor) and any(child is statement for statement in parent.body):
            yield Loop(scene.frame, _names(parent.target), parent.iter, tuple(parent.body), parent.lineno)
        elif isinstance(parent, _COMPREHENSION) and not isinstance(child, ast.comprehension):
            for one in reversed(parent.generators):
                yield Loop(scene.frame, _names(one.target), one.iter, (parent,), one.iter.lineno)
        child = parent


def _names(target: ast.expr) -> tuple[str, ...]:
    return tuple(node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _is_unordered(loop: Loop, scene: Scene) -> bool:
    own = scene.function
    if isinstance(own, _COMPREHENSION) and loop.over is own.generators[0].iter:  # evaluated outside its frame
        return type(variable(scene.frame, ".0")) is _ITERATOR or (
            not isinstance(own, ast.GeneratorExp) and scene.frame.f_back is not None
            and _Orders(scene.frame.f_back, scene).is_of_set(loop.over)
        )  # fmt: skip
    return _Orders(scene.frame, scene).is_of_set(loop.over)


class _Orders:
    """The expressions of a frame whose order is that of a set."""

    def __init__(self, frame: FrameType, scene: Scene) -> None:
        self._frame = frame
        self._scene = scene

    def is_of_set(self, one: ast.expr, depth: int = 0) -> bool:
        """Whether an expression is a set, or was made from one in its order."""
        if depth > _DEEPEST:
            return False
        if isinstance(one, ast.Set | ast.SetComp):
            return True
        if isinstance(one, ast.Name | ast.Attribute | ast.Subscript):
            return type(value(one, self._frame)) in (set, frozenset) or self._is_defined_so(one, depth)
        if isinstance(one, ast.ListComp | ast.GeneratorExp | ast.DictComp):
            return self.is_of_set(one.generators[0].iter, depth + 1)
        if isinstance(one, ast.List | ast.Tuple):
            return any(isinstance(part, ast.Starred) and self.is_of_set(part.value, depth + 1) for part in one.elts)
        if isinstance(one, ast.BinOp) and isinstance(one.op, _COMBINE):
            sides = (one.left, one.right)
            return any(self.is_of_set(side, depth + 1) for side in sides) or (
                not isinstance(one.op, ast.Add) and any(map(self._are_keys, sides))
            )
        return isinstance(one, ast.Call) and self._is_call_of_set(one, depth)

    def _is_call_of_set(self, call: ast.Call, depth: int) -> bool:
        function, arguments = call.func, call.args
        if isinstance(function, ast.Name):
            if variable(self._frame, function.id) is not getattr(builtins, function.id, None):
                return False
            place = _KEEP_ORDER.get(function.id, len(arguments))
            return function.id in _SETS or (place < len(arguments) and self.is_of_set(arguments[place], depth + 1))
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr == "fromkeys":
            return value(function.value, self._frame) is dict and self.is_of_set(arguments[0], depth + 1)
        return function.attr in _VIEWS and self.is_of_set(function.value, depth + 1)

    def _are_keys(self, one: ast.expr) -> bool:
        """Whether an expression is the key view of a dictionary, on which operators return sets."""
        if not (isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "keys"):
            return False
        return is_dictionary(value(one.func.value, self._frame))

    def _is_defined_so(self, one: ast.expr, depth: int) -> bool:
        """Whether a name is a list, tuple or dictionary, and every definition of it has the order of a set.

        Later changes of the object do not matter: a finding requires that processes reach different elements.
        """
        if not isinstance(one, ast.Name) or type(variable(self._frame, one.id)) not in (list, tuple, dict):
            return False
        code = self._frame.f_code
        if one.id in code.co_freevars:
            return False
        is_local = one.id in code.co_varnames or one.id in code.co_cellvars
        scope = self._own_function() if is_local else self._scene.text.tree
        parents = self._scene.text.parents
        stored = [
            parents[node]
            for node in ast.walk(scope)
            if isinstance(node, ast.Name) and node.id == one.id and not isinstance(node.ctx, ast.Load)
            and _function_of(node, parents) is scope
        ]  # fmt: skip
        return bool(stored) and all(
            isinstance(node, ast.Assign | ast.AnnAssign)
            and node.value is not None
            and self.is_of_set(node.value, depth + 1)
            for node in stored
        )

    def _own_function(self) -> ast.AST:
        return _function_of(self._scene.node, self._scene.text.parents)


def _function_of(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST:
    """The function or module in whose scope a node lies."""
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return node
    return node
