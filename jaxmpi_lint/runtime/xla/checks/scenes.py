"""The syntax node that a frame executes, and the values of its names and simple expressions.

No code of the program runs: names, items of dictionaries and attributes of instances are looked up directly.
"""

from __future__ import annotations

import ast
import inspect
import linecache
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from dis import opmap
from types import CodeType, FrameType, MemberDescriptorType, ModuleType
from typing import Any, Final

from jaxmpi_lint.runtime import _native

MISSING: Final = object()
_KEPT = 256  # code objects and files in the cache
_LARGEST = 1 << 20  # characters; larger files are not parsed
_COMPREHENSIONS = {
    "<listcomp>": ast.ListComp, "<setcomp>": ast.SetComp, "<dictcomp>": ast.DictComp, "<genexpr>": ast.GeneratorExp,
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)

Position = tuple[int | None, int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Text:
    """A file of the program, parsed and compiled again."""

    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    nodes: dict[Position, ast.AST]  # expressions and augmented assignments
    codes: tuple[CodeType, ...]


@dataclass(slots=True)
class _Known:
    """The cached properties of a code object."""

    code: CodeType  # kept alive, so that its address stays unique
    loops: bool
    positions: list[Position] = field(default_factory=list)
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """The syntax node that a frame executes."""

    frame: FrameType
    node: ast.AST
    around: tuple[ast.AST, ...]  # its parents, outward to the function or module
    text: Text

    @property
    def function(self) -> ast.AST:
        """The function, the module, or the comprehension with a separate frame."""
        return self.around[-1]


_known: OrderedDict[int, _Known] = OrderedDict()
_texts: OrderedDict[str, Text | None] = OrderedDict()


def has_loops(frame: FrameType) -> bool:
    """Whether a frame's code has a loop."""
    return _about(frame.f_code).loops


def scene(frame: FrameType) -> Scene | None:
    """The scene of a frame; None if its source is unknown, or does not match the code that runs."""
    known = _about(frame.f_code)
    if not known.positions:
        known.positions = list(frame.f_code.co_positions())
        known.text = _source(frame)
    place = frame.f_lasti // 2
    node = known.text.nodes.get(known.positions[place]) if known.text and 0 <= place < len(known.positions) else None
    if node is None or known.text is None:
        return None
    return Scene(frame, node, tuple(_around(node, known.text.parents, frame.f_code.co_name)), known.text)


def _about(code: CodeType) -> _Known:
    found = _known.get(id(code))
    if found is None:
        found = _known[id(code)] = _Known(code, opmap["FOR_ITER"] in code.co_code[::2])
        if len(_known) > _KEPT:
            _known.popitem(last=False)
    return found


def _source(frame: FrameType) -> Text | None:
    """The file of a frame, if it compiles to the code that runs."""
    name = frame.f_code.co_filename
    if name not in _texts:
        _texts[name] = _read("".join(linecache.getlines(name, frame.f_globals)))
        if len(_texts) > _KEPT:
            _texts.popitem(last=False)
    text = _texts[name]
    return text if text is not None and frame.f_code in text.codes else None


def _read(source: str) -> Text | None:
    if not source or len(source) > _LARGEST:
        return None
    try:
        tree = ast.parse(source)
        code = compile(tree, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    parents: dict[ast.AST, ast.AST] = {
        child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)
    }
    nodes: dict[Position, ast.AST] = {
        _position(node): node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.AugAssign)
    }
    return Text(tree, parents, nodes, tuple(_codes(code)))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _position(node: ast.expr | ast.AugAssign) -> Position:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _around(node: ast.AST, parents: dict[ast.AST, ast.AST], function: str) -> Iterator[ast.AST]:
    own = _COMPREHENSIONS.get(function)
    child = node
    while child in parents:
        parent = parents[child]
        yield parent
        inside = not isinstance(child, ast.comprehension) or child is not getattr(parent, "generators", [None])[0]
        if isinstance(parent, _FUNCTIONS) or (own is not None and isinstance(parent, own) and inside):
            return
        child = parent


# --- names and plain expressions --------------------------------------------------------------------------------------


def variable(frame: FrameType, name: str) -> object:
    """The value of a name in a frame, or `MISSING`."""
    code = frame.f_code
    found: object = MISSING
    if name in code.co_varnames or name in code.co_cellvars or name in code.co_freevars:
        found = _native.local_variable(frame, name, MISSING)
    if found is MISSING and not code.co_flags & inspect.CO_OPTIMIZED:
        found = frame.f_locals.get(name, MISSING)
    if found is MISSING:
        found = frame.f_globals.get(name, MISSING)
    return frame.f_builtins.get(name, MISSING) if found is MISSING else found


def value(expression: ast.expr, frame: FrameType) -> object:
    """The value of a name, item or attribute; `MISSING` if it cannot be determined without running code."""
    if isinstance(expression, ast.Name):
        return variable(frame, expression.id)
    if isinstance(expression, ast.Constant):
        return expression.value
    if isinstance(expression, ast.Attribute):
        return _attribute(value(expression.value, frame), expression.attr)
    if isinstance(expression, ast.Subscript):
        return _item(value(expression.value, frame), value(expression.slice, frame))
    return MISSING


def is_dictionary(one: object) -> bool:
    """Whether an object is a dictionary with the standard item access."""
    return isinstance(one, dict) and type(one).__getitem__ is dict.__getitem__


def _item(whole: Any, key: object) -> object:
    if is_dictionary(whole) and isinstance(key, str | bytes | int | tuple):
        return dict.get(whole, key, MISSING)
    if type(whole) in (list, tuple) and type(key) is int and -len(whole) <= key < len(whole):
        found: object = whole[key]
        return found
    return MISSING


def _attribute(whole: object, name: str) -> object:
    kind = type(whole)
    if whole is MISSING or kind.__getattribute__ not in (object.__getattribute__, ModuleType.__getattribute__):
        return MISSING
    static = inspect.getattr_static(kind, name, MISSING)
    if isinstance(static, MemberDescriptorType):  # of `__slots__`
        try:
            return static.__get__(whole, kind)
        except AttributeError:
            return MISSING
    if hasattr(type(static), "__set__"):
        return MISSING
    own = getattr(whole, "__dict__", None)
    return own.get(name, MISSING) if type(own) is dict else MISSING
