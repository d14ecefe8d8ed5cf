"""Check for words and phrases that `docs/terminology.md` replaces by terms of the field.

    python tools/check_wording.py README.md docs jaxmpi_lint [--docstrings all]

It reads the prose of Markdown files, the string literals and the docstrings of modules and classes in Python files, and
the string literals of native sources. Code in back quotes, code blocks and examples of rules are not prose. The exit
status is 1 if a phrase is found; each is printed with its place and its replacement.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_THINGS = (
    "amount|arm|behaviour|branch|buffer|call|collective|colour|communicator|configuration|count|data|datatype|device|"
    "dtype|elements?|environment|file|flag|function|iteration|items?|key|kind|length|line|module|name|number|object|"
    "one than|operations?|operator|order|outcome|pass|path|place|processor|program|rank than|results?|root|row|"
    "sequence|set|shapes?|size|spelling|text|times?|type|values?|version|way|world"
)
PHRASES: dict[str, str] = {
    rf"\banother (?:{_THINGS})\b": "a different ...",
    rf"\bother (?:{_THINGS}) than\b": "a different ... from",
    r"\bbehind\b": "after",
    r"\b(?:comes?|came|coming) (?:to|by|here|there)\b(?! an end)": "reaches, executes, calls",
    r"\bwithout a word\b": "silently, without a message",
    r"\b(?:says?|said|saying) so\b": "reports, prints",
    r"\bleaves? a word\b": "publishes",
    r"\b(?:of|more|fewer|many|number of) (?:turns|passes)\b": "iterations; trip count",
    r"\b(?:each|every|one|a|per) (?:turn|pass) (?:of|through)\b": "iteration",
    r"\b(?:everybody|everyone|nobody|somebody|anybody|whoever|whom)\b": "all ranks, no rank, the ranks that",
    r"(?<!\w)who\b": "the ranks that, the processes that",
    r"\b(?:told|tells)\b": "reports, states, distinguishes, determines",
    r"\bof (?:its|their|his) own\b": "separate, per-process, user-defined",
    r"\bsurely\b": "provably, must",
    r"\bvisibly\b": "provably, statically",
    r"\bmistakes? in jaxmpi-lint\b": "internal error",
    r"\b(?:go|goes|went|going) on\b": "continue",
    r"\bsurroundings\b": "environment",
    r"\bfor ever\b": "forever, indefinitely",
    r"\b(?:hears?|heard)\b": "receives",
    r"\bmade anew\b|\bcompiled anew\b": "fresh, recompiled",
    r"\bby hand\b": "manually",
    r"\b(?:has|have|had) their say\b": "apply",
    r"\bdeals? out\b": "distributes",
}
_PATTERN = re.compile("|".join(f"(?P<p{index}>{phrase})" for index, phrase in enumerate(PHRASES)), re.IGNORECASE)
_CODE = re.compile(r"``.+?``|`[^`\n]*`|\{[^{}\s]*\}")
_FENCE = re.compile(r"^ *(```|~~~)")
_NATIVE_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_NATIVE = {".cpp", ".hpp", ".h", ".table"}
_WORDS = 3
"""A literal of fewer words is a name or a format, not prose."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text and the row on which it starts."""

    row: int
    text: str


def prose(path: Path, docstrings: str) -> Iterator[Prose]:
    """The prose of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from _paragraphs(text)
    elif path.suffix == ".py":
        yield from _of_python(text, docstrings)
    elif path.suffix in _NATIVE:
        for number, line in enumerate(text.splitlines(), 1):
            for found in _NATIVE_STRING.finditer(line):
                yield Prose(number, found[1])


def _paragraphs(text: str, first: int = 1) -> Iterator[Prose]:
    """The lines of a Markdown text outside of its code blocks."""
    fenced = False
    lines: list[str] = []
    for line in text.splitlines():
        fence = _FENCE.match(line) is not None
        lines.append("" if fenced or fence else line)
        fenced = fenced != fence
    yield Prose(first, "\n".join(lines))


def _of_python(text: str, docstrings: str) -> Iterator[Prose]:
    tree = ast.parse(text)
    passed_over = set(_examples(tree))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            body = node.body[0] if node.body else None
            if isinstance(body, ast.Expr) and isinstance(body.value, ast.Constant):
                passed_over.add(id(body.value))
                if isinstance(body.value.value, str) and (docstrings == "all" or not _is_function(node)):
                    yield from _paragraphs(body.value.value, body.value.lineno)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(value)) if id(node) not in passed_over and len(value.split()) >= _WORDS:
                yield Prose(node.lineno, value)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _examples(tree: ast.Module) -> Iterator[int]:
    """The constants in the examples of rules, which are programs."""
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Name) and target.id in ("VALID", "INVALID") for target in targets):
            yield from map(id, ast.walk(node))


def findings(path: Path, docstrings: str) -> Iterator[str]:
    """Each phrase of a file, with its place and its replacement."""
    instead = list(PHRASES.values())
    for found in prose(path, docstrings):
        text = _CODE.sub(lambda match: re.sub(r"[^\n]", "x", match[0]), found.text)
        for match in _PATTERN.finditer(text):
            index = int((match.lastgroup or "p0")[1:])
            row = found.row + text.count("\n", 0, match.start())
            around = " ".join(found.text[max(0, match.start() - 30) : match.end() + 30].split())
            yield f"{path}:{row}: {match[0]!r} in {around!r}; write: {instead[index]}"


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files to read, in the order of their names."""
    for path in paths:
        suffixes = {".md", ".py", *_NATIVE}
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (one for one in found if one.suffix in suffixes and one.is_file() and "build" not in one.parts)


def main() -> int:
    """Print the findings; 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--docstrings", choices=("classes", "all"), default="classes", help="which docstrings to read")
    given = parser.parse_args()
    found = [line for path in files(given.paths) for line in findings(path, given.docstrings)]
    print("\n".join(found) if found else "no phrase to replace")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
