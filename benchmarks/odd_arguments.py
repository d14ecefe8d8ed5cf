"""Calls of all that the interpreter models, with arguments of every kind: in none of them may the linter itself fail.

    python benchmarks/odd_arguments.py [--calls 20000] [--seed 1]

Functions, methods of the objects of libraries, operators, subscripts, loops and formats are called with objects,
numbers, texts, arrays, generators, communicators and values that nobody knows. Each program has a few calls, each in
a ``try`` of its own. Those in which the linter itself fails are printed, one call of each; the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.interpreter.entries import entries
from jaxmpi_lint.interpreter.exploration import explore
from jaxmpi_lint.interpreter.program import PARTS, Program
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

CALLS = 8  # of a program
ROOT = "/odd"
NOT_CALLED = frozenset(
    {
        *("sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit"),  # nothing would follow
        *("operator.itemgetter.call", "operator.attrgetter.call"),  # names of the models' own
    }
)
HEAD = """import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank = comm.Get_rank()
class A:
    def f(self):
        pass
a = A()
"""
VALUES = (
    *("a", "a.f", "A", "A.f", "len", "np", "Exception", "type", "lambda *z: z[0]", "(i for i in [1, a])", "iter([a])"),
    *("None", "True", "7", "-1", "0", "2.5", "2j", "10 ** 30", "float('nan')", "float('inf')", "slice(1)", "range(3)"),
    *("'xy'", "''", "'%d %s'", "'{} {x}'", "b'q'", "[1, 'x', None]", "[[1], [2, 3]]", "[]", "()", "(1, a)"),
    *("{'k': 1}", "{}", "{1, 2}", "rank", "[rank, a.f]", "rank / 3", "str(rank)", "comm", "MPI.SUM", "MPI.DOUBLE"),
    *("int(input())", "input()", "comm.bcast(a)", "np.float32", "np.random.default_rng()", "np.random.rand(3)"),
    *(
        "np.full(2, a)",
        "np.array([1.5, 2.5])",
        "np.zeros((0, 3))",
        "np.array(7)",
        "np.array(['a', 'b'])",
        "np.ones(rank)",
    ),
)
OBJECTS = {
    "array": "np.arange(6.0).reshape(2, 3)",
    "array walk": "np.nditer(np.ones(2))",
    "bool": "True",
    "bytes": "b'ab'",
    "communicator": "comm.Dup()",
    "complex": "2j",
    "configuration": "__import__('configparser').ConfigParser()",
    "counter": "collections.Counter('aab')",
    "deque": "collections.deque([1, a], 3)",
    "dict": "{'k': a}",
    "environ": "os.environ",
    "exit stack": "contextlib.ExitStack()",
    "file": "open('f')",
    "float": "2.5",
    "generator": "(i for i in [1, a])",
    "group": "comm.Get_group()",
    "hash": "hashlib.sha256(b'')",
    "int": "5",
    "list": "[3, a, 1]",
    "logger": "logging.getLogger()",
    "memory file": "io.StringIO('a')",
    "mpi file": "MPI.File.Open(comm, 'f')",
    "numpy generator": "np.random.default_rng(1)",
    "parser": "argparse.ArgumentParser()",
    "path": "pathlib.Path('a')",
    "pool": "multiprocessing.Pool()",
    "progress bar": "tqdm.tqdm([1])",
    "queue": "queue.Queue()",
    "random generator": "random.Random(1)",
    "range": "range(4)",
    "request": "comm.Irecv(np.zeros(1), source=0)",
    "set": "{1, 'x'}",
    "slice": "slice(1, 2)",
    "socket": "socket.socket()",
    "status": "MPI.Status()",
    "str": "'a b'",
    "task": "threading.Thread(target=len)",
    "tuple": "(1, a)",
    "unknown bytes": "open('f', 'rb').read()",
    "unknown dict": "json.load(open('f'))",
    "unknown float": "float(input())",
    "unknown int": "int(input())",
    "unknown str": "input()",
    "window": "MPI.Win.Allocate(8, comm=comm)",
    **{name: f"np.{name}(1)" for name in ("int8", "uint8", "int64", "float16", "float32", "float64", "complex64")},
}
IMPORTS = (
    *("argparse", "collections", "contextlib", "hashlib", "io", "json", "logging", "multiprocessing", "os", "pathlib"),
    *("queue", "random", "socket", "threading", "tqdm"),
)
BINARY = ("+", "-", "*", "/", "//", "%", "**", "<<", "&", "|", "@", "==", "<", "in", "is", "and", "or")
FORMS = (
    *("({one})[{other}]", "-({one})", "~({one})", "[z for z in ({one})]", "sorted({one}, key={other})"),
    *("format({one}, '>9')", "str({one}) + repr({other})", "x, y = {one}", "x = {one}; x += {other}"),
    *("x = {one}; x[{other}] = {one}", "x = {one}; x.f = {other}", "del ({one})[0]", "with {one} as x: pass"),
    *("for x in {one}: break", "while {one}: break"),
)


@dataclass(frozen=True, slots=True)
class Call:
    """A statement, and the package that it imports."""

    text: str
    package: str | None = None


def functions() -> list[str]:
    """The names of all functions that have a model, as programs write them."""
    named = {name for part in PARTS for name in getattr(part, "FUNCTIONS", ()) if name.replace(".", "").isidentifier()}
    return sorted(named - NOT_CALLED)


def methods() -> list[tuple[str, str]]:
    """Objects and the names of their methods, as far as a program can write the object."""
    found: dict[str, set[str]] = {}
    for part in PARTS:
        for kind, named in getattr(part, "METHODS", {}).items():
            found.setdefault(kind, set()).update(named)
    written = [(kind, name) for kind in found.keys() & OBJECTS for name in found[kind] if not name.startswith("__")]
    return sorted((OBJECTS[kind], name) for kind, name in written if name.isidentifier())


def calls(choice: random.Random) -> Iterator[Call]:
    """Statements without end."""
    known, objects = functions(), methods()

    def given() -> str:
        words = [choice.choice(VALUES) for _ in range(choice.choice((0, 1, 1, 1, 2, 2, 3)))]
        words += [f"axis={choice.choice(VALUES)}"] * (choice.random() < 0.1)
        return ", ".join(words)

    while True:
        one, other = choice.choice(VALUES), choice.choice(VALUES)
        kind = choice.random()
        if kind < 0.55:
            name = choice.choice(known)
            package = name.partition(".")[0]
            yield Call(f"{name.removeprefix('builtins.')}({given()})", None if package == "builtins" else package)
        elif kind < 0.8:
            owner, name = choice.choice(objects)
            yield Call(f"({owner}).{name}({given()})")
        elif kind < 0.9:
            yield Call(f"({one}) {choice.choice(BINARY)} ({other})")
        else:
            yield Call(choice.choice(FORMS).replace("{one}", one).replace("{other}", other))


def program(statements: Sequence[Call]) -> str:
    """A program that makes the calls, each in a ``try``."""
    packages = sorted({call.package for call in statements if call.package is not None} | set(IMPORTS))
    tries = "".join(f"try:\n    {call.text}\nexcept Exception:\n    pass\n" for call in statements)
    return "".join(f"import {name}\n" for name in packages) + HEAD + tries + "comm.Barrier()\n"


def failure(text: str) -> str | None:
    """How the linter fails on a program; None if it does not."""
    path = f"{ROOT}/main.py"
    contents = {path: text.encode()}
    request = Request(Settings(root=Path(ROOT)), (Path(path),), ROOT, contents)
    found = Program(Engine(request, tree=Tree(ROOT)).read({}).project)
    failures = (explore(found, entry).failure for entry in entries(found))
    return next((failure[0] for failure in failures if failure is not None), None)


def failing(statements: Sequence[Call]) -> Iterator[tuple[Call, str]]:
    """The calls of a failing program that fail alone, or all of them together."""
    alone = [(call, why) for call in statements if (why := failure(program([call]))) is not None]
    if alone:
        yield from alone
    else:
        yield Call("; ".join(call.text for call in statements)), failure(program(statements)) or ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if the linter failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    source = calls(random.Random(options.seed))
    seen: set[str] = set()
    for _ in range(0, options.calls, CALLS):
        statements = [next(source) for _ in range(CALLS)]
        if failure(program(statements)) is not None:
            for call, why in failing(statements):
                if why not in seen:
                    seen.add(why)
                    print(f"{why}\n    {call.text}", flush=True)
    print(f"{options.calls} calls of {len(functions())} functions and {len(methods())} methods: {len(seen)} failures")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
