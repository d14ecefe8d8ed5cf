"""Text to module: parse once, measure spans, lower, run the syntactic rules, drop the tree."""

from __future__ import annotations

import ast
import gc
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir

if TYPE_CHECKING:
    from libcst import CSTNode, Module

    from jaxmpi_lint.analysis.frontend.syntax_walk import TreeVisitor
    from jaxmpi_lint.findings.model import Finding


class SyntaxProblem(Exception):
    """The text is not Python; ``row`` and ``column`` start at 1."""

    def __init__(self, message: str, row: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


class NotAnalysed(Exception):
    """The text may be Python, but exceeds the parser or the lowering; holds the reason."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A lowered module and the findings of the syntactic rules."""

    module: ir.Module
    findings: list[Finding]


_FRAMES = 20_000
_TABS = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)


def allow_deep_trees() -> None:
    """Raise the interpreter's limit: text that `guards` admits needs up to a few thousand frames, also for pickling."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))


def parse(path: str, name: str, is_package: bool, text: str, tree_rules: Sequence[TreeVisitor] = ()) -> Parsed:
    """Lower one file.

    Raises SyntaxProblem for text that is not Python, and NotAnalysed where the parser or the lowering fails.
    """
    import libcst as cst

    from jaxmpi_lint.analysis.frontend.lower_module import lower_module
    from jaxmpi_lint.analysis.frontend.spans import measure

    allow_deep_trees()
    collecting = gc.isenabled()
    gc.disable()  # trees are large and acyclic, and dropped before the next file
    try:
        with _unvalidated():
            tree = _tree(text)
        spans, reproduced = measure(tree)
        module = lower_module(tree, spans, path, name, is_package, text)
        module.faithful = reproduced == text
        findings = _run_tree_rules(tree, spans, module, tree_rules) if tree_rules else []
    except cst.ParserSyntaxError as error:
        raise _problem(text, error.message) from None
    except RecursionError:
        raise NotAnalysed("expressions or blocks are nested too deeply") from None
    finally:
        if collecting:
            gc.enable()
    return Parsed(module, findings)


def _tree(text: str) -> Module:
    """The tree of a text. Blocks that are indented with both tabs and spaces are read with a space for each tab.

    The interpreter requires that this leaves the structure as it is ("Indentation" in the language reference); the
    parser rejects some of them. Columns are unchanged.
    """
    import libcst as cst

    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError:
        indented = _TABS.sub(lambda found: " " * len(found[0]), text)
        if indented == text or _rejected(text) is not None:
            raise
    return cst.parse_module(indented)


@contextmanager
def _unvalidated() -> Iterator[None]:
    """Disable the parser's validation of nodes.

    The text that it read is valid; its validation takes the word before a parenthesised condition for a part of that
    condition.
    """
    from libcst import CSTNode

    validate = CSTNode.__post_init__
    CSTNode.__post_init__ = _accept  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        CSTNode.__post_init__ = validate  # type: ignore[method-assign]


def _accept(_: CSTNode) -> None:
    """A replacement for validation."""


def _problem(text: str, message: str) -> SyntaxProblem | NotAnalysed:
    """The interpreter's message and position; text that the interpreter accepts but the parser does not is no error."""
    error = _rejected(text)
    if isinstance(error, SyntaxError):
        return SyntaxProblem(error.msg, max(error.lineno or 1, 1), max(error.offset or 1, 1))
    if error is not None:
        return SyntaxProblem(_first_line(message), 1, 1)
    place = re.search(r"error at (\d+):", message)
    return NotAnalysed(f"the parser does not support the syntax on line {place[1] if place else 1}")


def _rejected(text: str) -> SyntaxError | ValueError | None:
    """The error with which the interpreter rejects a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (SyntaxError, ValueError) as error:
            return error
    return None


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]


def _run_tree_rules(tree: object, spans: object, module: ir.Module, tree_rules: Sequence[TreeVisitor]) -> list[Finding]:
    from jaxmpi_lint.analysis.frontend.syntax_walk import dispatch

    return dispatch(tree, spans, module, tree_rules)  # type: ignore[arg-type]
