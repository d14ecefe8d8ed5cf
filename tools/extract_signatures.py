"""Extracts the parameters of a library's public callables, one JSON file per release.

    python tools/extract_signatures.py source mpi4py 4.1.2 .../mpi4py/MPI.pyi
    python tools/extract_signatures.py source mpi4jax 0.9.1 .../mpi4jax
    python tools/extract_signatures.py installed jax

``source`` reads stubs or sources without importing them; a folder is read as a whole, and names in a package called
``notoken`` get that prefix. ``installed`` imports and inspects the packages that the semantics file names.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.metadata
import inspect
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "library"
DISTRIBUTIONS = {"orbax": "orbax-checkpoint", "haiku": "dm-haiku"}


def tokens(arguments: ast.arguments) -> str:
    """Parameters in the form of the tables: names, ``=default``, ``*`` before keyword-only ones, no ``self``."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults += arguments.defaults
    words = [_word(argument.arg, default) for argument, default in zip(positional, defaults, strict=True)]
    if positional and positional[0].arg in ("self", "cls"):
        words = words[1:]
    if arguments.vararg or arguments.kwonlyargs:
        words.append("*")
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return " ".join([*words, *(_word(argument.arg, default) for argument, default in pairs)])


def _word(name: str, default: ast.expr | None) -> str:
    if default is None:
        return name
    text = ast.unparse(default).replace("_MPI.", "").replace(" ", "")
    return f"{name}={text}"


def from_source(path: Path, semantics: dict[str, Any]) -> dict[str, str]:
    """All members of a stub, or the functions in a folder's files that the semantics file names."""
    if path.is_file():
        return _members(ast.parse(path.read_text()).body, "")
    found: dict[str, str] = {}
    named = {name for row in semantics["rows"] for name in row["names"]}
    for file in sorted(path.rglob("*.py")):
        prefix = "notoken." if "notoken" in file.parts else ""
        members = _members(ast.parse(file.read_text()).body, "")
        found |= {prefix + name: words for name, words in members.items() if name in named}
    return found


def _members(body: list[ast.stmt], prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found |= _members(node.body, f"{prefix}{node.name}.")
            found[prefix + node.name] = "class " + " ".join(ast.unparse(base) for base in node.bases)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[prefix + node.name] = tokens(node.args)
        elif isinstance(node, ast.FunctionDef) and node.name in ("__new__", "__init__"):
            found[f"{prefix}{node.name}"] = tokens(node.args)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[prefix + node.target.id] = "attribute " + ast.unparse(node.annotation)
    return found


def from_installed(semantics: dict[str, Any]) -> dict[str, str]:
    """The parameters of every callable that the semantics file names and the installed package has."""
    found: dict[str, str] = {}
    for row in [*semantics.get("rows", ()), *semantics.get("transforms", ())]:
        for name in row["names"]:
            words = _installed(f"{semantics['module']}.{name}")
            if words is not None:
                found[name] = words
    return dict(sorted(found.items()))


def _installed(dotted: str) -> str | None:
    target = _find(dotted)
    if target is None:
        return None
    if isinstance(target, property):
        return "attribute"
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return None
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    words = [_describe(parameter) for parameter in plain if parameter.kind is not inspect.Parameter.VAR_KEYWORD]
    keyword = [index for index, parameter in enumerate(plain) if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    if keyword and "*" not in words:
        words.insert(keyword[0], "*")
    return " ".join(words[1:] if words[:1] in (["self"], ["cls"]) else words)


def _describe(parameter: inspect.Parameter) -> str:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return "*"
    default = parameter.default
    if default is inspect.Parameter.empty:
        return parameter.name
    simple = default is None or isinstance(default, (bool, int, float, str)) or default == ()
    return f"{parameter.name}={repr(default).replace(' ', '') if simple else '...'}"


def _find(dotted: str) -> Any:
    """The object that ``dotted`` refers to in a program: attributes first, otherwise submodules."""
    path, *rest = dotted.split(".")
    found: Any = importlib.import_module(path)
    for part in rest:
        path = f"{path}.{part}"
        if inspect.isclass(found):
            found = inspect.getattr_static(found, part, None)
        elif not hasattr(found, part):
            try:
                found = importlib.import_module(path)
            except ImportError:
                return None
        else:
            found = getattr(found, part)
    return found.__func__ if isinstance(found, (classmethod, staticmethod)) else found


def write(package: str, version: str, found: dict[str, str]) -> None:
    """One file per release, one line per name."""
    folder = HERE / "signatures"
    folder.mkdir(exist_ok=True)
    (folder / f"{package}-{version}.json").write_text(json.dumps(dict(sorted(found.items())), indent=0) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    source = commands.add_parser("source")
    source.add_argument("package")
    source.add_argument("version")
    source.add_argument("path", type=Path)
    installed = commands.add_parser("installed")
    installed.add_argument("package")
    options = parser.parse_args()
    semantics = tomllib.loads((HERE / f"{options.package}.toml").read_text())
    if options.command == "source":
        write(options.package, options.version, from_source(options.path, semantics))
        return
    distribution = DISTRIBUTIONS.get(options.package, options.package)
    try:
        version = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        raise SystemExit(f"{distribution} is not installed for {sys.executable}; pip install {distribution}") from None
    write(options.package, version, from_installed(semantics))


if __name__ == "__main__":
    main()
