"""File paths as written in the program, calls that test whether a file exists, and calls that create one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.lattice.limits import PATH_DEFINITIONS
from jaxmpi_lint.library.python.file_operations import OPERATIONS, Effect
from jaxmpi_lint.library.python.files import ASKING_METHODS, JOIN, MAKING_METHODS, OPENING, SAME_FILE, STORING_METHODS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function

Parts = tuple[str, ...]

_ASKING = re.compile(r"os\.path\.(exists|lexists|isfile|isdir)|.*gfile\.(exists|isdir|Exists|IsDirectory)")
_GFILE = re.compile(r".*gfile\.(mkdir|makedirs|MakeDirs|MkDir)")  # also as `tensorflow.compat.v1.gfile`
_CREATES = frozenset({Effect.WRITES, Effect.MAKES})
_PROGRAMS = re.compile(r"subprocess\.(run|call|check_call|check_output|Popen)|os\.system")
_MAKING_WORDS = re.compile(
    r"(?:^|_)(?:build|convert|create|download|dump|export|extract|fetch|generate|make|mkdir|prepare|save|store|write)"
)
_OPENING_WORDS = frozenset({"open", "fdopen", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"})
_WITH_PARENTS = re.compile(r"os\.makedirs|.*gfile\.(makedirs|MakeDirs)")


class FilePaths:
    """Normalises the paths in one function; a name that is assigned once stands for its value."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def parts(self, expression: ir.Expression, depth: int = 0) -> Parts:
        """The components of a path, each as written."""
        if depth > PATH_DEFINITIONS:
            return (self._text(expression),)
        match expression:
            case ir.BinaryOperation(operator="/", left=left, right=right):
                return (*self.parts(left, depth + 1), *self.parts(right, depth + 1))
            case ir.Constant(value=str() as text):
                return tuple(repr(part) for part in text.split("/") if part) or ("'/'",)
            case ir.Name(id=name) if (value := self.value_of(name)) is not None:
                return self.parts(value, depth + 1)
            case ir.Call(func=ir.Attribute(value=base, attr="joinpath"), args=args):
                return (*self.parts(base, depth + 1), *(p for a in args for p in self.parts(a.value, depth + 1)))
            case ir.Call(func=ir.Attribute(value=base, attr=name), args=()) if name in SAME_FILE:
                return self.parts(base, depth + 1)
            case ir.Call(func=func, args=args) if args and self._only_wraps(func):
                return tuple(part for argument in args for part in self.parts(argument.value, depth + 1))
        return (self._text(expression),)

    def _only_wraps(self, func: ir.Expression) -> bool:
        name = (ir.dotted(func) or "").rpartition(".")[2]
        return name in SAME_FILE or name.endswith("Path") or ir.dotted(func) in JOIN

    def value_of(self, name: str) -> ir.Expression | None:
        """The value of a local name that is assigned exactly once."""
        values = self._assigned.get(name, [])
        return values[0] if len(values) == 1 else None

    @cached_property
    def _assigned(self) -> dict[str, list[ir.Expression | None]]:
        found: dict[str, list[ir.Expression | None]] = {}
        for parameter in self._function.ir.parameters:
            found[parameter.name] = [None, None]
        for step in self._function.ir.steps():
            match step:
                case ir.Assign(targets=(ir.Name(id=name),), value=value):
                    found.setdefault(name, []).append(value)
                case ir.Assign(targets=targets):
                    for target in targets:
                        for node in ir.walk(target):
                            if isinstance(node, ir.Name):
                                found.setdefault(node.id, []).extend([None, None])
                case ir.AugmentedAssign(target=ir.Name(id=name)):
                    found.setdefault(name, []).extend([None, None])
        return found

    def _text(self, expression: ir.Expression) -> str:
        return self._function.module.line(expression.span)

    # --- tests and creation ---

    def asked(self, call: ir.Call) -> Parts | None:
        """The path whose existence a call tests."""
        bound = self._function.bound(call)
        dotted = bound.dotted if bound is not None else None
        if call.args and _ASKING.fullmatch(dotted or ir.dotted(call.func) or ""):
            return self.parts(call.args[0].value)
        if isinstance(call.func, ir.Attribute) and call.func.attr in ASKING_METHODS and not call.args:
            return self.parts(call.func.value)
        return None

    def is_made(self, path: Parts, bound: BoundCall) -> bool:
        """Whether a call creates the file or folder."""
        return any(made[: len(path)] == path if deep else made == path for made, deep in self._made(bound))

    def _made(self, bound: BoundCall) -> Iterator[tuple[Parts, bool]]:
        """The paths that a call creates, and whether it also creates their parents."""
        call = bound.call
        name = (bound.dotted or ir.dotted(call.func) or "").removeprefix("builtins.")
        positional = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
        operations = [one for one in OPERATIONS.get(name, ()) if one.effect in _CREATES]
        if positional and _GFILE.fullmatch(name):
            yield self.parts(positional[0]), bool(_WITH_PARENTS.fullmatch(name))
        elif operations:
            given = (call.argument(one.position, one.keyword or None) for one in operations)
            yield from ((self.parts(path), bool(_WITH_PARENTS.fullmatch(name))) for path in given if path is not None)
        elif positional and name in OPENING and _writes(call):
            yield self.parts(positional[0]), False
        elif isinstance(call.func, ir.Attribute) and not bound.dotted:
            if call.func.attr in MAKING_METHODS or (call.func.attr == "open" and _writes(call, 0)):
                yield self.parts(call.func.value), any(a.keyword == "parents" for a in call.args)
            elif positional and call.func.attr in STORING_METHODS:
                yield self.parts(positional[0]), False

    def may_be_made(self, path: Parts, bound: BoundCall) -> bool:
        """Whether the path is passed to a program, or to a function whose name indicates that it creates something."""
        name = bound.dotted or ir.dotted(bound.call.func) or ""
        if _PROGRAMS.fullmatch(name):
            return path[0] in self._mentioned(bound.call) if not path[0].startswith("'") else False
        if bound.operations or not _MAKING_WORDS.search(name.rpartition(".")[2]):
            return False
        if self._is_open_file(bound.call.func):
            return False  # what it writes is the content of that file
        return any(self.parts(argument.value) == path for argument in bound.call.args)

    def _is_open_file(self, func: ir.Expression) -> bool:
        """Whether a method is one of a file that the function opens."""
        if not isinstance(func, ir.Attribute):
            return False
        held = self.value_of(func.value.id) if isinstance(func.value, ir.Name) else func.value
        opened = held.context if isinstance(held, ir.Entered) else held
        name = (ir.dotted(opened.func) or "").rpartition(".")[2] if isinstance(opened, ir.Call) else ""
        return func.attr == "writelines" or name in _OPENING_WORDS

    def _mentioned(self, call: ir.Call) -> set[str]:
        """The texts of all subexpressions of the arguments."""
        found: set[str] = set()
        stack = [(argument.value, 0) for argument in call.args]
        while stack:
            expression, depth = stack.pop()
            for node in ir.walk(expression):
                found.add(self._text(node))
                value = self.value_of(node.id) if isinstance(node, ir.Name) else None
                if value is not None and depth < 4:
                    stack.append((value, depth + 1))
        return found


def _writes(call: ir.Call, position: int = 1) -> bool:
    mode = call.argument(position, "mode")
    return isinstance(mode, ir.Constant) and isinstance(mode.value, str) and bool(set(mode.value) & set("wxa"))
