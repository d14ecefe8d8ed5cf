"""Small programs in memory, for tests of what their conditions say."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.frontend.parse import parse
from jaxmpi_lint.analysis.lattice.interfaces import Function
from jaxmpi_lint.analysis.model.function import FunctionModel
from jaxmpi_lint.analysis.model.project import Project
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.import_scan import ModuleFinder

ROOT = "/example"
HEADER = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nrank = comm.Get_rank()\nsize = comm.Get_size()\n"


def project_of(texts: Mapping[str, str], settings: Settings | None = None) -> Project:
    """A project of the files with these texts."""
    paths = {f"{ROOT}/{name}": text for name, text in texts.items()}
    finder = ModuleFinder(ROOT, ("src",), list(paths))
    modules = [parse(path, *finder.module_name(path), text).module for path, text in paths.items()]
    return Project(modules, list(paths), finder, settings or Settings(Path(ROOT)))


def function_of(body: str, parameters: str = "", header: str = HEADER, name: str = "f") -> FunctionModel:
    """The function ``f`` with a body, in a module that knows the world's rank and size."""
    indented = textwrap.indent(textwrap.dedent(body), "    ")
    return named(project_of({"program.py": f"{header}\ndef f({parameters}):\n{indented}"}), name)


def named(project: Project, name: str, file: str = "program.py") -> FunctionModel:
    """A function of a project by its name."""
    function = project.function(f"{ROOT}/{file}", name)
    assert function is not None
    return function


def body_of(text: str) -> FunctionModel:
    """The body of a module."""
    return named(project_of({"program.py": text}), "<module>")


def branch_of(function: FunctionModel, number: int = 0) -> tuple[int, ir.Branch]:
    """One of the tests of a function in the order of the text, and the block that it ends."""
    found = sorted(((branch.span, block.index, branch) for block, branch, _ in function.branches()), key=lambda b: b[0])
    return found[number][1], found[number][2]


def block_of(function: FunctionModel, called: str) -> int:
    """The block in which a function is called by a name."""
    for block, _, call in function.ir.placed_calls():
        if ir.dotted(call.func) == called:
            return block
    raise AssertionError(called)


def expression_of(text: str) -> ir.Expression:
    """An expression of names."""
    function = body_of(f"value = {text}\n")
    steps = [step for step in function.ir.steps() if isinstance(step, ir.Assign)]
    assert steps[-1].value is not None
    return steps[-1].value


def text_of(function: Function, expression: ir.Expression) -> str:
    """What an expression is written as."""
    return function.module.source(expression.span)
