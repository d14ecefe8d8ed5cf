"""JM501 as a codemod: programs for mpi4jax before 0.8, and what ``--fix`` makes of them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path

import pytest
from example_jobs import launcher, output_of, require
from places import EXAMPLES
from sanitizer.environments import OVERSUBSCRIBED

from jaxmpi_lint.command import cli

HEADER = "import jax\nimport mpi4jax\nfrom mpi4py import MPI\n\n\n"

# name, statements of a function before, after; both are indented and put behind `def f(x, comm, token=None):`
SAFE = [
    ("none is a token as well", "mpi4jax.barrier(comm=comm, token=None)", "mpi4jax.barrier(comm=comm)"),
    (
        "keyword first",
        "y, token = mpi4jax.bcast(token=token, x=x, root=0, comm=comm)\nreturn y",
        "y = mpi4jax.bcast(x=x, root=0, comm=comm)\nreturn y",
    ),
    (
        "only argument",
        "mpi4jax.barrier(token=token)\nmpi4jax.barrier(token=token,)",
        "mpi4jax.barrier()\nmpi4jax.barrier()",
    ),
    (
        "trailing comma",
        "y, _ = mpi4jax.bcast(x, 0, token=token,)\nreturn y",
        "y = mpi4jax.bcast(x, 0,)\nreturn y",
    ),
    (
        "several rows with comments",
        "y, token = mpi4jax.allreduce(\n    x,  # data\n    op=MPI.SUM,\n    # in order\n    token=token,\n)\nreturn y",
        "y = mpi4jax.allreduce(\n    x,  # data\n    op=MPI.SUM,\n    # in order\n)\nreturn y",
    ),
    (
        "a comment on the row of the token stays",
        "y, token = mpi4jax.bcast(\n    x,\n    0,\n    token=token,  # in order\n    comm=comm,\n)\nreturn y",
        "y = mpi4jax.bcast(\n    x,\n    0,\n    # in order\n    comm=comm,\n)\nreturn y",
    ),
    (
        "last argument on a row of its own",
        "y, token = mpi4jax.bcast(x, 0, comm=comm,\n                         token=token)\nreturn y",
        "y = mpi4jax.bcast(x, 0, comm=comm)\nreturn y",
    ),
    (
        "no comma behind the last of several rows",
        "y, token = mpi4jax.bcast(\n    x, 0,  # root\n    token=token\n)\nreturn y",
        "y = mpi4jax.bcast(\n    x, 0,  # root\n)\nreturn y",
    ),
    (
        "parentheses around the targets",
        "(y, token) = mpi4jax.bcast(x, 0, token=token)\nreturn y",
        "y = mpi4jax.bcast(x, 0)\nreturn y",
    ),
    (
        "list of targets, attribute, underscore",
        "[x.y, _] = mpi4jax.bcast(x, 0, token=token)\n_, token = mpi4jax.recv(x, 0, token=token)",
        "x.y = mpi4jax.bcast(x, 0)\n_ = mpi4jax.recv(x, 0)",
    ),
    (
        "several targets",
        "a, _ = b, _ = mpi4jax.bcast(x, 0, token=token)\nreturn a, b",
        "a = b = mpi4jax.bcast(x, 0)\nreturn a, b",
    ),
    (
        "two calls in one statement",
        "(a, t1), (b, t2) = mpi4jax.bcast(x, 0, token=token), mpi4jax.bcast(x, 1, token=None)\nreturn a + b",
        "a, b = mpi4jax.bcast(x, 0), mpi4jax.bcast(x, 1)\nreturn a + b",
    ),
    (
        "indexed inside an expression",
        "return 2 * (mpi4jax.bcast(x, 0, token=token))[0] + 1",
        "return 2 * (mpi4jax.bcast(x, 0)) + 1",
    ),
    (
        "whole result taken apart later",
        "res = mpi4jax.bcast(x, 0, token=token)\ny = res[0]\ntoken = res[1]\nmpi4jax.barrier(token=token)\nreturn y",
        "res = mpi4jax.bcast(x, 0)\ny = res\nmpi4jax.barrier()\nreturn y",
    ),
    (
        "whole result unpacked later",
        "res = mpi4jax.bcast(x, 0, token=token)\ny, _ = res\nreturn y",
        "res = mpi4jax.bcast(x, 0)\ny = res\nreturn y",
    ),
    (
        "token of send",
        "token = mpi4jax.send(x, 1, token=token)\ny, _ = mpi4jax.recv(x, 1, token=token)\nreturn y",
        "mpi4jax.send(x, 1)\ny = mpi4jax.recv(x, 1)\nreturn y",
    ),
    (
        "created token",
        "t = jax.lax.create_token()\nfor _ in range(3):\n    x, t = mpi4jax.allreduce(x, MPI.SUM, token=t)\nreturn x",
        "for _ in range(3):\n    x = mpi4jax.allreduce(x, MPI.SUM)\nreturn x",
    ),
    (
        "created token alone in its block",
        "if x is not None:\n    t = jax.lax.create_token()\nx, t = mpi4jax.allreduce(x, MPI.SUM, token=t)\nreturn x",
        "if x is not None:\n    pass\nx = mpi4jax.allreduce(x, MPI.SUM)\nreturn x",
    ),
    (
        "created on the spot",
        "y, _ = mpi4jax.allreduce(x, MPI.SUM, token=jax.lax.create_token(x))\nreturn y",
        "y = mpi4jax.allreduce(x, MPI.SUM)\nreturn y",
    ),
    (
        "token that is returned keeps its value",
        "y, token = mpi4jax.allreduce(x, MPI.SUM, token=token)\nreturn y, token",
        "y = mpi4jax.allreduce(x, MPI.SUM)\nreturn y, token",
    ),
    (
        "token under another name that is returned",
        "y, after = mpi4jax.allreduce(x, MPI.SUM, token=token)\nreturn y, after",
        "y, after = mpi4jax.allreduce(x, MPI.SUM), token\nreturn y, after",
    ),
    (
        "first token of a chain that is returned",
        "y, token = mpi4jax.allreduce(x, MPI.SUM)\nreturn y, token",
        "y, token = mpi4jax.allreduce(x, MPI.SUM), None\nreturn y, token",
    ),
    (
        "pair that is returned stays a pair",
        "return mpi4jax.allreduce(x, MPI.SUM, token=token)",
        "return mpi4jax.allreduce(x, MPI.SUM), token",
    ),
    (
        "token that is returned by send",
        "return mpi4jax.send(x, 1, token=token)",
        "mpi4jax.send(x, 1)\nreturn token",
    ),
    (
        "first generation",
        "y = mpi4jax.Allreduce(x, MPI.SUM, comm)\nz, _ = mpi4jax.Bcast(y, 0, comm, token)\nreturn z",
        "y = mpi4jax.allreduce(x, MPI.SUM, comm=comm)\nz = mpi4jax.bcast(y, 0, comm=comm)\nreturn z",
    ),
    (
        "removed module",
        "return mpi4jax.experimental.notoken.bcast(mpi4jax.notoken.allgather(x), 0)",
        "return mpi4jax.bcast(mpi4jax.allgather(x), 0)",
    ),
    (
        "statements that share a row",
        "t = jax.lax.create_token(); x, t = mpi4jax.bcast(x, 0, token=t); return x",
        "t = None; x = mpi4jax.bcast(x, 0); return x",
    ),
]

UNCHANGED = [
    ("whole result handed on", "return g(mpi4jax.bcast(x, 0, token=token))"),
    ("whole result stored", "res = mpi4jax.bcast(x, 0, token=token)\nx.append(res)\nreturn res[0]"),
    ("token with an effect", "y, _ = mpi4jax.bcast(x, 0, token=g(x))\nreturn y"),
    ("a lambda that returns the pair", "return map(lambda y: mpi4jax.bcast(y, 0, token=token), x)"),
    ("array of two rows", "low, high = mpi4jax.bcast(x, 0)\nfirst = mpi4jax.allgather(x)[0]\nreturn low, high, first"),
    ("told apart by type", "out = mpi4jax.bcast(x, 0)\nif isinstance(out, tuple):\n    out, _ = out\nreturn out"),
]


def program(statements: str) -> str:
    """A file with one function."""
    body = "".join(f"    {line}\n" if line else "\n" for line in statements.split("\n"))
    return f"{HEADER}def f(x, comm, token=None):\n{body}"


def migrate(path: Path, *flags: str) -> str:
    """The text of a file after ``--fix``, which must not change it any further when run again."""
    command = ["--isolated", "--no-cache", "--quiet", "--select", "JM501", "--fix", *flags, str(path)]
    cli.main(command)
    once = path.read_bytes().decode()
    cli.main(command)
    assert path.read_bytes().decode() == once
    compile(once, str(path), "exec")
    return once


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in SAFE], ids=[case[0] for case in SAFE])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_tokens_are_taken_out(tmp_path: Path, before: str, after: str, newline: str) -> None:
    path = tmp_path / "program.py"
    path.write_bytes(program(before).replace("\n", newline).encode())
    assert migrate(path) == program(after).replace("\n", newline)


@pytest.mark.parametrize("statements", [case[1] for case in UNCHANGED], ids=[case[0] for case in UNCHANGED])
def test_what_is_not_certain_is_left_alone(tmp_path: Path, statements: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(program(statements), encoding="utf-8")
    assert migrate(path, "--unsafe-fixes") == program(statements)


def test_a_token_for_somebody_unknown_becomes_none_only_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    before = program("y, token = mpi4jax.allreduce(x, MPI.SUM)\nx.remember(token)\nreturn y")
    path.write_text(before, encoding="utf-8")
    assert migrate(path) == before
    assert "y, token = mpi4jax.allreduce(x, MPI.SUM), None\n" in migrate(path, "--unsafe-fixes")


def test_suppressed_calls_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    before = program("y, _ = mpi4jax.bcast(x, 0, token=token)  # noqa: JM501\nreturn y")
    path.write_text(before, encoding="utf-8")
    assert migrate(path) == before


def test_nothing_changes_for_the_release_the_program_is_for(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    before = program("y, _ = mpi4jax.bcast(x, 0, token=token)\nreturn y")
    path.write_text(before, encoding="utf-8")
    assert migrate(path, "--target", "mpi4jax=0.7.1") == before


@pytest.mark.runs_mpi
@pytest.mark.parametrize("folder", ["fft3d", "fft3d_old_tokens"])
@pytest.mark.parametrize("name", ["wrong.py", "right.py"])
def test_migrated_program_runs(tmp_path: Path, folder: str, name: str) -> None:
    """The distributed FFT with its tokens threaded by hand runs under the installed mpi4jax once they are out."""
    mpirun = launcher()
    needed = ("numpy", "jax", "mpi4py", "mpi4jax")
    require([name for name in needed if importlib.util.find_spec(name) is None] + ([] if mpirun else ["mpirun"]))
    shutil.copytree(EXAMPLES / folder, tmp_path / folder)
    migrate(tmp_path / folder / name, "--target", "mpi4jax=0.9")
    command = [str(mpirun), "-n", "2", sys.executable, str(tmp_path / folder / name)]
    code, output = output_of(command, OVERSUBSCRIBED)
    assert code == 0, output
    assert re.search(r"\d x \d processes: relative error .*, agrees: True", output), output
