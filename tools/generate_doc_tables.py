"""Write the tables of `docs/architecture.md` and `docs/analysis.md`, and the example of a trace, from the sources.

    python tools/generate_doc_tables.py            write the tables
    python tools/generate_doc_tables.py --check    exit code 1 if a table is stale

The table of packages comes from `tools/layers.toml`, the limits from `analysis/lattice/limits.py`, and the exemptions
from `analysis/divergence/exemptions.py`; the trace is the output of the command. Markers in the pages enclose each.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from jaxmpi_lint.analysis.divergence.exemptions import EXEMPTIONS
from jaxmpi_lint.command.cli import main as jaxmpi_lint

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ROOT / "tools" / "layers.toml"
LIMITS = ROOT / "jaxmpi_lint" / "analysis" / "lattice" / "limits.py"
_GROUP = re.compile(
    r"^# --- (?P<group>[^\n]*) ---$|^(?P<name>[A-Z_]+) = (?P<value>\d+)\n\"{3}(?P<text>.*?)\"{3}$",
    re.MULTILINE | re.DOTALL,
)

TRACED = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nif comm.rank == 0:\n    comm.Barrier()\n"


class Incomplete(Exception):
    """A package without a description, a description without a package, or a page without markers."""


def packages(stacks: Mapping[str, Sequence[Sequence[str]]], descriptions: Mapping[str, str]) -> str:
    """A table for the linter and one for the sanitizer: a row for each package, the highest layer first."""
    listed = [package for rows in stacks.values() for row in rows for package in row]
    missing, unknown = sorted({*listed} - descriptions.keys()), sorted(descriptions.keys() - {*listed})
    if missing or unknown:
        problems = [*(f"{name}: no description" for name in missing), *(f"{name}: in no layer" for name in unknown)]
        raise Incomplete("; ".join(problems))
    head = ("layer", "package", "contents")
    tables = []
    for name, layers in stacks.items():
        rows = [(str(height), f"`{one}`", descriptions[one]) for height, row in enumerate(layers, 1) for one in row]
        tables.append(f"{name}:\n\n{_table(head, rows)}")
    return "\n".join(tables)


def limits(text: str) -> str:
    """A table for each group of limits in the given `limits.py`."""
    parts: list[str] = []
    rows: list[tuple[str, str, str]] = []
    for found in _GROUP.finditer(text):
        if found["group"]:
            parts += [_limits_table(rows)] if rows else []
            rows = []
            parts.append(f"{found['group'][0].upper()}{found['group'][1:]}:\n\n")
        else:
            rows.append((f"`{found['name']}`", found["value"], " ".join(found["text"].split()).replace("``", "`")))
    return "".join([*parts, _limits_table(rows)]).rstrip("\n") + "\n"


def _limits_table(rows: Iterable[tuple[str, str, str]]) -> str:
    return _table(("limit", "value", "what it bounds"), rows) + "\n"


def exemptions() -> str:
    """A row for each exemption of the branch rules, in the order in which they apply."""
    return _table(("exemption", "reason"), ((f"`{one.name}`", one.why) for one in EXEMPTIONS))


def trace() -> str:
    """A short program and what `--trace` prints for its branch, as blocks."""
    before = os.getcwd()
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        (Path(folder) / "case.py").write_text(TRACED, encoding="utf-8")
        os.chdir(folder)
        try:
            jaxmpi_lint(["--no-cache", "--trace", "JM101", "case.py:4"])
        finally:
            os.chdir(before)
    return f"```python\n{TRACED}```\n\n```\n{printed.getvalue()}```\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _packages_of_layers() -> str:
    document = tomllib.loads(LAYERS.read_text(encoding="utf-8"))
    stacks = {"The linter": document["layers"], "The sanitizer": document["sanitizer"]}
    return packages(stacks, document["descriptions"])


TABLES: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "docs/architecture.md": {"packages": _packages_of_layers},
    "docs/analysis.md": {
        "trace": trace,
        "exemptions": exemptions,
        "limits": lambda: limits(LIMITS.read_text(encoding="utf-8")),
    },
}


def page(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """The page with its tables written anew between their markers."""
    for name, write in tables.items():
        begin, end = f"<!-- begin {name}: tools/generate_doc_tables.py -->\n", f"<!-- end {name} -->\n"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise Incomplete(f"the markers of the table of {name} are missing")
        text = f"{before}{begin}\n{write()}\n{end}{after}"
    return text


def main() -> int:
    """Write or check; 1 if a page is stale or incomplete."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    status = 0
    for name, tables in TABLES.items():
        path = ROOT / name
        old = path.read_text(encoding="utf-8")
        try:
            new = page(old, tables)
        except Incomplete as problem:
            print(f"{name}: {problem}", file=sys.stderr)
            return 1
        if check and new != old:
            print(f"{name}: stale; run `python tools/generate_doc_tables.py`", file=sys.stderr)
            status = 1
        elif new != old:
            path.write_text(new, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
