"""Normal forms of paths: literal text and the parts that the program computes, through names, fields and callers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import visible_definitions
from jaxmpi_lint.analysis.cfg.passed_arguments import argument_of, default_of, is_parameter
from jaxmpi_lint.analysis.lattice.limits import PATH_DEFINITIONS
from jaxmpi_lint.library.python.files import JOIN, SAME_FILE

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_CONVERSION = re.compile(r"%(?:\((?P<key>\w+)\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]")
_FIELD = re.compile(r"\{(?P<key>\w*)[^{}]*\}")
_CLASSES_OF_PATHS = frozenset({"Path", "PurePath", "PosixPath"})
_SEPARATORS = frozenset({"os.sep", "os.path.sep", "path.sep"})


@dataclass(frozen=True, slots=True)
class Frame:
    """The call that runs a function, and the function that makes the call."""

    caller: Function
    call: ir.Call
    outer: Frame | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a path: literal text, or an expression of a function with the text that identifies its value."""

    text: str
    function: Function | None = field(default=None, compare=False)
    expression: ir.Expression | None = field(default=None, compare=False)
    frame: Frame | None = field(default=None, compare=False)

    @property
    def is_literal(self) -> bool:
        """Whether it is text of the program."""
        return self.expression is None


Form = tuple[Part, ...]


def text_of(form: Iterable[Part]) -> str:
    """The text that identifies a path."""
    return "".join(part.text for part in form)


def is_below(path: Form, folder: Form) -> bool:
    """Whether a path lies in a folder."""
    return text_of(path).startswith(text_of(folder).rstrip("/") + "/")


def form_of(function: Function, expression: ir.Expression, frame: Frame | None = None) -> Form:
    """The normal form of a path in a function, as a call runs it."""
    return _merged(_Forms(function, frame).of(expression, 0))


def is_field(function: Function, expression: ir.Expression) -> bool:
    """Whether an expression is a field of the object of a method."""
    name = function.self_name
    return name is not None and isinstance(expression, ir.Attribute) and ir.dotted(expression.value) == name


def field_values(function: Function, attribute: str) -> list[tuple[Function, ir.Expression]]:
    """The values that the methods of the class of a method assign to a field of its object."""
    owner = function.ir.owner
    if owner is None:
        return []
    models = function.module_model.class_model(owner).linearization
    methods = (model.module_model.function(name) for model in models for name in model.ir.methods.values())
    return [
        (method, value)
        for method in methods
        for value in method.assignments.get(f"{method.self_name}.{attribute}", {}).values()
    ]


def _merged(parts: Iterable[Part]) -> Form:
    """The parts with neighbouring literals joined and repeated separators removed."""
    found: list[Part] = []
    for part in parts:
        if part.is_literal and found and found[-1].is_literal:
            found[-1] = Part(re.sub("/+", "/", found[-1].text + part.text))
        elif part.text:
            found.append(part)
    if found and found[0].is_literal and found[0].text.startswith("./"):
        found[0] = Part(found[0].text[2:])
    return tuple(found)


class _Forms:
    """Forms of the expressions of one function, as one call runs it."""

    def __init__(self, function: Function, frame: Frame | None) -> None:
        self._function = function
        self._frame = frame

    def of(self, expression: ir.Expression, depth: int) -> Iterator[Part]:
        if depth > PATH_DEFINITIONS:
            yield self._opaque(expression)
            return
        match expression:
            case ir.Constant(value=str() | int() as value) if not isinstance(value, bool):
                yield Part(str(value))
            case ir.FormattedString(parts=parts):
                yield from self._all(parts, depth)
            case ir.BinaryOperation(operator="+", left=left, right=right):
                yield from self._all((left, right), depth)
            case ir.BinaryOperation(operator="/", left=left, right=right):
                yield from self._joined((left, right), depth)
            case ir.BinaryOperation(operator="%", left=left, right=right):
                yield from self._converted(expression, left, right, depth)
            case ir.Name(id=name):
                yield from self._named(expression, name, depth)
            case ir.Attribute():
                yield from self._attribute(expression, depth)
            case ir.Call():
                yield from self._called(expression, depth)
            case _:
                yield self._opaque(expression)

    def _all(self, parts: Sequence[ir.Expression], depth: int) -> Iterator[Part]:
        for part in parts:
            yield from self.of(part, depth + 1)

    def _joined(self, parts: Sequence[ir.Expression], depth: int) -> Iterator[Part]:
        for index, part in enumerate(parts):
            if index:
                yield Part("/")
            yield from self.of(part, depth + 1)

    # --- names and fields ---

    def _named(self, expression: ir.Expression, name: str, depth: int) -> Iterator[Part]:
        function, frame = self._function, self._frame
        if is_parameter(function, name):
            given = argument_of(function, name, frame.call) if frame is not None else None
            default = default_of(function, name) if frame is not None and not frame.call.has_star else None
            if frame is not None and given is not None:
                yield from _Forms(frame.caller, frame.outer).of(given, depth + 1)
            elif default is not None:
                yield from self.of(default, depth + 1)
            else:
                yield self._opaque(expression)
            return
        found = visible_definitions(function, name)
        if found is None or len(found[1]) != 1 or isinstance(found[1][0], (ir.Element, ir.Entered)):
            yield self._opaque(expression)
        else:
            yield from self._in(found[0]).of(found[1][0], depth + 1)

    def _in(self, scope: Function) -> _Forms:
        return self if scope.key == self._function.key else _Forms(scope, None)

    def _attribute(self, expression: ir.Attribute, depth: int) -> Iterator[Part]:
        if ir.dotted(expression) in _SEPARATORS:
            yield Part("/")
            return
        values = []
        if is_field(self._function, expression):
            values = field_values(self._function, expression.attr)
        if len(values) == 1:
            yield from self._in(values[0][0]).of(values[0][1], depth + 1)
        else:
            yield self._opaque(expression)

    # --- calls ---

    def _called(self, call: ir.Call, depth: int) -> Iterator[Part]:
        positional = [argument.value for argument in call.args if argument.keyword is None and not argument.star]
        plain = len(positional) == len(call.args)
        dotted = ir.dotted(call.func) or ""
        name = dotted.rpartition(".")[2]
        match call.func:
            case ir.Attribute(value=base, attr="joinpath") if plain:
                yield from self._joined((base, *positional), depth)
            case ir.Attribute(value=ir.Constant(value=str() as text), attr="format"):
                yield from self._filled(text, call, _FIELD, depth)
            case ir.Attribute(value=base, attr=attr) if attr in SAME_FILE and not call.args:
                yield from self.of(base, depth + 1)
            case _ if plain and positional and (self._joins(call, dotted) or name in _CLASSES_OF_PATHS):
                yield from self._joined(positional, depth)
            case _ if plain and len(positional) == 1 and name in SAME_FILE:
                yield from self.of(positional[0], depth + 1)
            case _:
                yield self._opaque(call)

    def _joins(self, call: ir.Call, dotted: str) -> bool:
        bound = self._function.bound(call)
        return dotted in JOIN or (bound is not None and bound.dotted == JOIN[0])

    def _converted(self, whole: ir.Expression, left: ir.Expression, right: ir.Expression, depth: int) -> Iterator[Part]:
        """A text with ``%`` conversions."""
        before = list(_merged(self.of(left, depth + 1)))
        elements = list(right.elements) if isinstance(right, ir.Collection) else [right]
        named = _entries(right)
        if sum(len(_CONVERSION.findall(part.text)) for part in before if part.is_literal) != len(named or elements):
            yield self._opaque(whole)
            return
        for part in before:
            yield from self._replaced(part, elements, named, depth) if part.is_literal else (part,)

    def _replaced(
        self, part: Part, elements: list[ir.Expression], named: dict[str, ir.Expression], depth: int
    ) -> Iterator[Part]:
        end = 0
        for match in _CONVERSION.finditer(part.text):
            yield Part(part.text[end : match.start()])
            value = named.get(match["key"] or "") if named else elements.pop(0)
            yield from self.of(value, depth + 1) if value is not None else (Part("?"),)
            end = match.end()
        yield Part(part.text[end:])

    def _filled(self, text: str, call: ir.Call, fields: re.Pattern[str], depth: int) -> Iterator[Part]:
        """A text with replacement fields."""
        end = 0
        for number, match in enumerate(fields.finditer(text)):
            key = match["key"]
            position = int(key) if key.isdigit() else number if not key else len(call.args)
            value = call.argument(position, key or None)
            if value is None:
                yield self._opaque(call)
                return
            yield Part(text[end : match.start()])
            yield from self.of(value, depth + 1)
            end = match.end()
        yield Part(text[end:])

    # --- other expressions ---

    def _opaque(self, expression: ir.Expression) -> Part:
        return Part("{" + self._rendered(expression, 0) + "}", self._function, expression, self._frame)

    def _rendered(self, expression: ir.Expression, depth: int) -> str:
        """A text that is equal for equal computations on equal values."""
        match expression:
            case ir.Name(id=name) if depth and is_parameter(self._function, name) and self._frame is not None:
                return text_of(self.of(expression, depth))
            case ir.Name(id=name):
                found = visible_definitions(self._function, name)
                local = self._function.is_local(name) and (found is None or found[0].key == self._function.key)
                return f"{self._scope() if local else self._function.module.path}:{name}"
            case ir.Attribute(attr=attr) if is_field(self._function, expression):
                return f"{self._function.module.path}:{self._function.ir.owner}.{attr}"
            case ir.Attribute(value=value, attr=attr):
                return f"{self._rendered(value, depth + 1)}.{attr}"
            case ir.Call() | ir.Subscript() | ir.BinaryOperation() if depth < PATH_DEFINITIONS:
                parts = [self._rendered(part, depth + 1) for part in ir.children(expression)]
                return f"{type(expression).__name__}({', '.join(parts)})"
        return "".join(self._function.module.source(expression.span).split())

    def _scope(self) -> str:
        return f"{self._function.module.path}:{self._function.ir.qualname}"


def _entries(right: ir.Expression) -> dict[str, ir.Expression]:
    """The entries of a dict display with literal keys."""
    if not isinstance(right, ir.Dictionary):
        return {}
    keys = [key.value if isinstance(key, ir.Constant) else None for key in right.keys]
    return {key: value for key, value in zip(keys, right.values, strict=True) if isinstance(key, str)}
