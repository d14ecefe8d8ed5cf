"""Lists the rules that exceed the size limits of a rule.

    python tools/rule_sizes.py --max 60 --examples 6    print them (exit code 1 if there are any)

``--max`` is for the rows that are no docstring, no example and not blank: longer code belongs to the analysis.
``--examples`` is for the programs in ``VALID`` and ``INVALID`` together: a rule has those of its page, all others are
fixtures of the tests. Each limit is checked only where it is given.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

RULES = Path(__file__).parent.parent / "jaxmpi_lint" / "rules"
EXAMPLES = frozenset({"VALID", "INVALID"})
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a rule."""

    name: str
    rows: int
    examples: int

    def excess(self, rows: int | None, examples: int | None) -> Iterator[str]:
        """The limits that it exceeds; a limit of None allows everything."""
        if rows is not None and self.rows > rows:
            yield f"{self.name}: {self.rows} rows that are no docstring and no example (at most {rows})"
        if examples is not None and self.examples > examples:
            yield f"{self.name}: {self.examples} examples (at most {examples})"


def measure(path: Path) -> Size:
    """The size of the rule in a file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    examples = list(_examples(tree))
    aside = {row for node in (*_docstrings(tree), *examples) for row in _rows(node)}
    rows = [row for row, line in enumerate(text.splitlines(), 1) if line.strip() and row not in aside]
    return Size(path.stem, len(rows), sum(_count(node.value) for node in examples))


def _docstrings(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, _Documented) and ast.get_docstring(node, clean=False) is not None:
            yield node.body[0]


def _examples(tree: ast.Module) -> Iterator[ast.Assign]:
    for owner in tree.body:
        for node in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id in EXAMPLES for target in node.targets
            ):
                yield node


def _count(value: ast.expr) -> int:
    if not isinstance(value, ast.Tuple):
        raise ValueError(f"row {value.lineno}: examples are written as a tuple")
    return len(value.elts)


def _rows(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rules that exceed a limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--max", type=int, metavar="ROWS", help="rows that are no docstring, no example and not blank")
    parser.add_argument("--examples", type=int, metavar="COUNT", help="programs in VALID and INVALID together")
    options = parser.parse_args(arguments)
    sizes = [measure(path) for path in sorted(RULES.glob("jm*.py"))]
    found = [line for size in sizes for line in size.excess(options.max, options.examples)]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
