"""Edits that fixes consist of: arguments, targets and statements are removed, comments stay."""

from __future__ import annotations

import re

from jaxmpi_lint.analysis import ir

TextEdit = tuple[ir.Span, str]

_BLANK = " \t\f"


def without_argument(module: ir.Module, call: ir.Call, argument: ir.Argument) -> list[TextEdit]:
    """Remove an argument and one comma from a call."""
    text = module.text
    index = next(i for i, candidate in enumerate(call.args) if candidate is argument)
    first = call.args[index - 1].span[1] if index else _opening(text, call)
    last = call.args[index + 1].span[0] if index + 1 < len(call.args) else call.span[1] - 1
    start, end = argument.span
    comma = _comma(text, end, last)
    is_last = bool(index) and index + 1 == len(call.args)
    if comma is not None and is_last and "#" not in text[first:start] and "\n" not in text[first:start]:
        start = first
    elif comma is not None:
        end = comma + 1
        while end < last and text[end] in _BLANK and text[argument.span[0] - 1] in _BLANK + "(":
            end += 1
    elif index and _follows_closely(text, first, start, text[end:last]):
        before = _comma(text, first, start)
        start = before if before is not None else start
    return [_with_line((start, end), text)]


def _follows_closely(text: str, first: int, start: int, rest: str) -> bool:
    """Whether the comma before an argument can be removed with it: no comment in between, not on a separate row."""
    between = text[first:start]
    return "#" not in between and ("\n" not in between or "\n" not in rest)


def _opening(text: str, call: ir.Call) -> int:
    """The offset after the parenthesis that opens the arguments."""
    return text.index("(", call.func.span[1]) + 1


def _comma(text: str, start: int, end: int) -> int | None:
    """The first comma between two offsets, outside of comments."""
    index = start
    while index < end:
        if text[index] == "#":
            index = _end_of_line(text, index)
        elif text[index] == ",":
            return index
        index += 1
    return None


def _end_of_line(text: str, index: int) -> int:
    found = re.compile(r"[\r\n]").search(text, index)
    return found.start() if found else len(text)


def _line(text: str, span: ir.Span) -> ir.Span:
    """The start of the first and the end of the last row of a span, without the line ending."""
    start = max(text.rfind("\n", 0, span[0]), text.rfind("\r", 0, span[0])) + 1
    return start, _end_of_line(text, span[1])


def _behind_line(text: str, end: int) -> int:
    return end + (2 if text.startswith("\r\n", end) else 1 if end < len(text) else 0)


def _with_line(span: ir.Span, text: str) -> TextEdit:
    """Remove a span, and the whole row if nothing else is on it."""
    start, end = _line(text, span)
    if text[start : span[0]].strip() or text[span[1] : end].strip():
        return span, ""
    return (start, _behind_line(text, end)), ""


def alone_on_line(module: ir.Module, span: ir.Span) -> bool:
    """Whether a statement shares its rows with a comment at most."""
    start, end = _line(module.text, span)
    rest = module.text[span[1] : end].strip()
    return not module.text[start : span[0]].strip() and (not rest or rest.startswith("#"))


def indentation(module: ir.Module, span: ir.Span) -> str:
    """The white space before a statement that starts its row."""
    start, _ = _line(module.text, span)
    return module.text[start : span[0]]


def line_ending(module: ir.Module) -> str:
    """The line ending of the first row."""
    end = _end_of_line(module.text, 0)
    return module.text[end : _behind_line(module.text, end)] or "\n"


def with_comment(module: ir.Module, span: ir.Span) -> ir.Span:
    """A statement that ends its row, with the comment after it."""
    return span[0], _line(module.text, span)[1]


def without_row(module: ir.Module, span: ir.Span) -> TextEdit:
    """Remove the rows of a statement that shares them with a comment at most."""
    start, end = _line(module.text, span)
    return (start, _behind_line(module.text, end)), ""


def without_statement(module: ir.Module, span: ir.Span) -> TextEdit | None:
    """Remove a statement with its row; ``pass`` if it is the only one of a block, None if it shares a row."""
    if not alone_on_line(module, span):
        return None
    text = module.text
    start, end = _line(text, span)
    if _is_only_one(text, start, end, len(indentation(module, span))):
        return span, "pass"
    if text[span[1] : end].strip():
        return (span[0], text.index("#", span[1])), ""
    return (start, _behind_line(text, end)), ""


def _is_only_one(text: str, start: int, end: int, depth: int) -> bool:
    before = next((line for line in reversed(text[:start].splitlines()) if _is_code(line)), "")
    after = next((line for line in text[end:].splitlines() if _is_code(line)), "")
    return before.partition("#")[0].rstrip().endswith(":") and len(after) - len(after.lstrip()) < max(depth, 1)


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def first_target_only(module: ir.Module, target: ir.Collection) -> TextEdit:
    """Keep the first of the names that an assignment unpacks into."""
    text = module.text
    start, end = target.span
    kept = module.source(target.elements[0].span)
    if target.kind == "tuple":
        start, end = _with_parentheses(text, start, end)
    return (start, end), kept


def _with_parentheses(text: str, start: int, end: int) -> ir.Span:
    before, after = start - 1, end
    while before >= 0 and text[before] in _BLANK + "\r\n":
        before -= 1
    while after < len(text) and text[after] in _BLANK + "\r\n,":
        after += 1
    if before >= 0 and text[before] == "(" and text[after : after + 1] == ")":
        return before, after + 1
    return start, end


def without_index(module: ir.Module, subscript: ir.Subscript) -> TextEdit:
    """Remove ``[index]`` from an expression."""
    opening = module.text.rindex("[", subscript.value.span[1], subscript.index.span[0])
    return (opening, subscript.span[1]), ""
