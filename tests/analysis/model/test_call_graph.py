"""Who calls a function of the project."""

from __future__ import annotations

import pytest
from condition_programs import named, project_of

from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.project import Project

PARTS = """
def work(n):
    return n

class Thing:
    def __init__(self):
        pass

    def run(self):
        pass
"""
PROGRAM = """
import parts
from parts import Thing, work as w

def twice():
    w(1)
    parts.work(2)

def safely(n):
    try:
        if n:
            return other()
        other2()
    finally:
        w(3)

def unknown(work):
    work(4)

thing = Thing()
thing.run()
w
"""


@pytest.fixture(scope="module")
def project() -> Project:
    return project_of({"parts.py": PARTS, "program.py": PROGRAM})


CALLS = [
    ("work", ["twice: w(1)", "twice: parts.work(2)", "safely: w(3)"]),
    ("Thing.__init__", ["<module>: Thing()"]),
    ("Thing.run", ["<module>: thing.run()"]),
]


@pytest.mark.parametrize(("name", "expected"), CALLS)
def test_calls(project: Project, name: str, expected: list[str]) -> None:
    sites = project.get(CallSites).of(named(project, name, "parts.py"))
    found = [f"{site.caller.ir.qualname}: {site.caller.module.source(site.span)}" for site in sites]
    assert sorted(found) == sorted(expected)


def test_a_function_that_is_never_called_has_no_calls(project: Project) -> None:
    sites = project.get(CallSites)
    assert sites.of(named(project, "twice")) == sites.copies(named(project, "twice")) == []


def test_each_copy_of_a_finally_has_its_call(project: Project) -> None:
    work = named(project, "work", "parts.py")
    sites = project.get(CallSites)
    copies = [site for site in sites.copies(work) if site.caller.ir.name == "safely"]
    assert len(copies) > 1 and len({site.block for site in copies}) == len(copies)
    assert [site for site in sites.of(work) if site.caller.ir.name == "safely"] == copies[:1]
    assert len(sites.copies(work)) == len(copies) + 2
