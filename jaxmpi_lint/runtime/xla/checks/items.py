"""The item of a dictionary that a launch uses, in a loop over a set of strings.

The iteration order of such a loop differs between processes, so the same program may be launched with different arrays.
This is provable only where the loop's element is the key with which the array is taken from a dictionary, as determined
here. All other launches have no item and are not compared.
"""

from __future__ import annotations

import ast
import enum
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType
from typing import Any

from jaxmpi_lint.runtime.settings.ownership import is_library, is_part_of
from jaxmpi_lint.runtime.xla.checks.scenes import MISSING, Scene, has_loops, is_dictionary, scene, value, variable
from jaxmpi_lint.runtime.xla.checks.set_loops import Loop, set_loop

_DEEPEST = 64  # frames that are searched
_MOST_ITEMS = 1024  # of a dictionary
_MOST_PARTS = 1024  # of an item
_LONGEST = 50  # characters of a dictionary and of a key in an item's name
_JAX = ("jax._src", "jax.experimental.multihost_utils", "jaxmpi_lint.runtime", "contextlib")
_SAME_DATA = frozenset({"T", "mT", "real", "imag"})

Item = tuple[str, int]
"""``arrays['density']``, and a hash of the dictionary."""
NO_ITEM: Item = ("", 0)

_types: dict[type, bool] = {}  # whether a type is that of an array


@dataclass(frozen=True, slots=True)
class Choice:
    """A dictionary of which the element of a loop is a key."""

    text: str
    items: Mapping[Any, Any]
    key: object


def look() -> Item | None:
    """The item of the launch that begins in this thread; `NO_ITEM` if it is unknown, None outside such loops."""
    try:
        return _item(sys._getframe(1))
    except Exception:  # then nothing is compared
        return None


def _item(frame: FrameType) -> Item | None:
    frames = list(_program_frames(frame))
    if not any(map(has_loops, frames)):
        return None
    for depth, one in enumerate(frames):
        where = scene(one) if has_loops(one) else None
        loop = set_loop(where) if where is not None else None
        if loop is not None:
            return _chosen(loop, frames[: depth + 1])
    return None


def _program_frames(frame: FrameType) -> Iterator[FrameType]:
    """The program's frames outward from the one that calls JAX; none if a library calls it."""
    at: FrameType | None = frame
    while at is not None and is_library(at.f_code.co_filename):
        if not is_part_of(at.f_code.co_filename, *_JAX):
            return
        at = at.f_back
    for _ in range(_DEEPEST):
        if at is None:
            return
        if not is_library(at.f_code.co_filename):
            yield at
        at = at.f_back


def _chosen(loop: Loop, frames: list[FrameType]) -> Item:
    launching = scene(frames[0])
    passed = [one for one in _passed(launching) if _holds_array(one)] if launching is not None else []
    if not passed:
        return NO_ITEM
    parts = {id(part) for one in passed for part in _parts(one)}
    wholes = {id(one) for one in passed}
    for choice in _choices(loop, frames):
        related = [key for key, item in choice.items.items() if _is_related(item, parts, wholes)]
        if related == [choice.key]:
            return _name(choice), _kinds(choice, loop)
    return NO_ITEM


def _is_related(item: object, parts: set[int], wholes: set[int]) -> bool:
    """Whether an item is part of an argument, or has a part that is an argument."""
    return id(item) in parts or any(id(part) in wholes for part in _parts(item))


# --- arguments of the launch ------------------------------------------------------------------------------------------


def _passed(where: Scene) -> Iterator[object]:
    """The operands of the call of JAX, as far as they are names, items and attributes."""
    for operand in _operands(where.node):
        yield from _values(operand, where.frame)


def _operands(node: ast.AST) -> Iterable[ast.expr]:
    if isinstance(node, ast.Call):
        method = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*method, *node.args, *(one.value for one in node.keywords)]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _values(expression: ast.expr, frame: FrameType) -> Iterator[object]:
    found = value(expression, frame)
    if found is not MISSING:
        yield found
    elif isinstance(expression, ast.Attribute) and expression.attr in _SAME_DATA:
        yield from _values(expression.value, frame)
    elif isinstance(expression, ast.Starred | ast.Tuple | ast.List | ast.Dict | ast.BinOp | ast.UnaryOp):
        for child in ast.iter_child_nodes(expression):
            if isinstance(child, ast.expr):
                yield from _values(child, frame)


def _parts(whole: object) -> Iterator[object]:
    """An object and everything in it, through dictionaries, lists and tuples."""
    todo, count = [whole], 0
    while todo and count < _MOST_PARTS:
        one = todo.pop()
        yield one
        count += 1
        if isinstance(one, dict):
            todo += dict.values(one)
        elif isinstance(one, list | tuple):
            todo += one


def _holds_array(one: object) -> bool:
    return any(map(_is_array, _parts(one)))


def _is_array(one: object) -> bool:
    kind = type(one)
    if kind not in _types:
        import jax
        import numpy

        _types[kind] = issubclass(kind, jax.Array | numpy.ndarray)
    return _types[kind]


# --- dictionaries -----------------------------------------------------------------------------------------------------


def _choices(loop: Loop, frames: list[FrameType]) -> Iterator[Choice]:
    """Dictionaries of which the loop's element is a key, in the loop or in functions that it calls."""
    elements = [variable(loop.frame, name) for name in loop.names]
    keys = [one for one in elements if _is_salted(one)]
    for whole, key in _subscripts(loop.body):
        if isinstance(key, ast.Name) and key.id in loop.names:
            yield from _choice(whole, loop.frame, keys)
    yield from _choice_of_view(loop, elements)
    for frame in frames[:-1]:
        where = scene(frame)
        for whole, key in _subscripts((where.function,)) if where is not None else ():
            found = value(key, frame)
            if any(found is one for one in keys):
                yield from _choice(whole, frame, keys)


def _subscripts(body: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    for part in body:
        for node in ast.walk(part):
            if isinstance(node, ast.Subscript):
                yield node.value, node.slice


def _choice(whole: ast.expr, frame: FrameType, keys: Iterable[object]) -> Iterator[Choice]:
    items: Any = value(whole, frame)
    if is_dictionary(items) and 1 < len(items) <= _MOST_ITEMS and all(map(_is_steady, items)):
        for key in keys:
            if key in items:
                yield Choice(ast.unparse(whole), items, key)


def _choice_of_view(loop: Loop, elements: Iterable[object]) -> Iterator[Choice]:
    """The choice of a loop over the items or values of a dictionary whose order is that of a set."""
    view = loop.over.func if isinstance(loop.over, ast.Call) else None
    if not (isinstance(view, ast.Attribute) and view.attr in ("items", "values")):
        return
    items: Any = value(view.value, loop.frame)
    if is_dictionary(items):
        chosen = [key for key, item in items.items() if any(item is one for one in elements) and _is_salted(key)]
        yield from _choice(view.value, loop.frame, chosen)


def _is_salted(key: object) -> bool:
    """Whether the hash of a key differs between processes and its text does not."""
    if isinstance(key, tuple):
        return type(key) is tuple and all(map(_is_steady, key)) and any(map(_is_salted, key))
    return type(key) in (str, bytes) or isinstance(key, enum.Enum)


def _is_steady(key: object) -> bool:
    """Whether the text of a key is the same in each process."""
    return _is_salted(key) or type(key) in (int, float, bool) or key is None or key == ()


def _name(choice: Choice) -> str:
    return f"{choice.text[-_LONGEST:]}[{_text(choice.key)}]"


def _text(key: object) -> str:
    if isinstance(key, tuple):
        return f"({', '.join(map(_text, key))})"
    return f"{type(key).__name__}.{key.name}" if isinstance(key, enum.Enum) else repr(key)[:_LONGEST]


def _kinds(choice: Choice, loop: Loop) -> int:
    """A hash of the loop and of the keys, shapes, dtypes and devices of all items."""
    where = (os.path.basename(loop.frame.f_code.co_filename), loop.line, choice.text)
    kinds = sorted((_text(key), [_kind(part) for part in _parts(item)]) for key, item in choice.items.items())
    return int.from_bytes(hashlib.blake2b(repr((where, kinds)).encode(), digest_size=8).digest())


def _kind(part: Any) -> str:
    if not _is_array(part):
        return type(part).__name__
    sharding = getattr(part, "sharding", None)
    return f"{_dtype(part.dtype)}{part.shape}{_devices(sharding) if sharding is not None else ''}"


@lru_cache(256)
def _dtype(dtype: object) -> str:
    return str(dtype)


@lru_cache(256)
def _devices(sharding: Any) -> str:
    return str([device.id for device in sharding._device_assignment])
