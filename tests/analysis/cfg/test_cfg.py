"""Post-dominance and paths on the control flow of real functions."""

from __future__ import annotations

import itertools
import random

import pytest

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.cfg import FlowGraph
from jaxmpi_lint.analysis.frontend.parse import parse


def graph_of(body: str) -> tuple[FlowGraph, list[ir.Block]]:
    text = "def f():\n" + "".join(f"    {line}\n" for line in body.splitlines())
    blocks = parse("/p/m.py", "m", False, text).module.functions["f"].blocks
    return FlowGraph(blocks, ()), blocks


def postdominators_by_removal(graph: FlowGraph, block: int) -> set[int]:
    """The definition: without the block, the exit cannot be reached."""
    found = set()
    for candidate in range(graph.exit + 1):
        if candidate != block and graph.exit not in graph.reachable(block, candidate):
            found.add(candidate)
    return found


def random_body(source: random.Random, depth: int) -> list[str]:
    lines = []
    for _ in range(source.randint(1, 3)):
        kind = source.choice(["call", "if", "while", "for", "return", "break"] if depth else ["call", "return"])
        inner = ["    " + line for line in random_body(source, depth - 1)] if depth else []
        if kind == "if":
            lines += ["if a:", *inner, "else:", *("    " + line for line in random_body(source, depth - 1))]
        elif kind in ("while", "for"):
            lines += [{"while": "while a:", "for": "for a in b:"}[kind], *inner, "    if c: break"]
        elif kind == "return":
            lines.append("if a: return")
        else:
            lines.append("g()")
    return lines


@pytest.mark.parametrize("seed", [*range(19), *(pytest.param(seed, marks=pytest.mark.jobs) for seed in range(19, 40))])
def test_immediate_postdominators_agree_with_the_definition(seed: int) -> None:
    graph, _ = graph_of("\n".join(random_body(random.Random(seed), 3)))
    reachable = graph.reachable(0)
    for block in reachable - {graph.exit}:
        strict = postdominators_by_removal(graph, block)
        nearest = graph.immediate_postdominator(block)
        assert nearest in strict
        assert strict - {nearest} <= postdominators_by_removal(graph, nearest)


def test_a_side_that_raises_leads_nowhere() -> None:
    graph, blocks = graph_of("if a:\n    raise ValueError\ng()")
    branch = next(block for block in blocks if isinstance(block.terminator, ir.Branch))
    assert len(graph.successors[branch.index]) == 1


def test_an_endless_loop_has_a_virtual_exit() -> None:
    graph, _ = graph_of("while True:\n    g()")
    assert graph.exit in graph.reachable(0)


def test_reachable_stops_before_the_stop() -> None:
    graph, blocks = graph_of("if a:\n    g()\nelse:\n    h()\nk()")
    meeting = graph.immediate_postdominator(0)
    sides = [graph.reachable(start, meeting) for start in graph.successors[0]]
    assert all(meeting not in side for side in sides)
    assert not any(a & b for a, b in itertools.combinations(sides, 2))
    assert len(blocks) > meeting
