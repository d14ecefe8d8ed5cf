"""Tests that have one outcome on all processes: what is uniform, and what the job is given once."""

from __future__ import annotations

import pytest
from condition_programs import HEADER, branch_of, function_of

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.uniform_tests import is_alike

GIVEN = (
    "import argparse\nimport os\nimport sys\n\nargs = argparse.ArgumentParser().parse_args()\n"
    "DEPTH = args.depth\nTWICE = 2 * DEPTH\nSTEPS = other()\nmy_id = DEPTH\nmine = DEPTH\n"
    "if STEPS:\n    MIXED = DEPTH\n    EITHER = DEPTH\nelse:\n    MIXED = other()\n    EITHER = TWICE\n"
    "a1 = DEPTH\na2 = a1\na3 = a2\na4 = a3\na5 = a4\na6 = a5\na7 = a6\na8 = a7\n"
)
TESTS: list[tuple[str, bool]] = [
    ("1", True),
    ("True", True),
    ("size == 4", True),
    ("rank == 0", False),
    ("comm.bcast(x)", True),
    ("x", False),
    ("args.depth", True),
    ("args.depth > 2", True),
    ("args.depth + 1 > 2 * args.width", True),
    ("not args.fast", True),
    ("args.fast and args.depth", True),
    ("args.fast and x", False),
    ("args.depth > x", False),
    ("2 if args.fast else 3", True),
    ("x if args.fast else 3", False),
    ("args.rank", False),
    ("args.local_size", False),
    ("args.device", False),
    ("args.my_part", False),
    ("args.mystery", True),
    ("args.idle", True),
    ("args.id", False),
    ("args.time", True),
    ("other.depth", False),
    ("DEPTH", True),
    ("TWICE > 3", True),
    ("STEPS", False),
    ("my_id", False),
    ("mine", True),
    ("MIXED", False),
    ("EITHER", True),
    ("missing", False),
    ("int(args.depth) > 2", True),
    ("len(args.files)", True),
    ("max(args.depth, x)", False),
    ("max(args.depth, DEPTH)", True),
    ("convert(args.depth)", False),
    ("os.environ['STEPS']", True),
    ("os.environ['LOCAL_RANK']", False),
    ("os.environ['SLURM_PROCID']", False),
    ("os.environ[x]", False),
    ("os.environ.get('STEPS')", True),
    ("os.environ.get('RANK')", False),
    ("os.environ.get(x)", False),
    ("os.getenv('STEPS', x)", True),
    ("os.getenv('STEPS') == 'on'", True),
    ("os.getenv()", False),
    ("other['STEPS']", False),
    ("a3", True),
    ("a5", True),
    ("a8", False),
]


@pytest.mark.parametrize(("test", "alike"), TESTS)
def test_is_alike(test: str, alike: bool) -> None:
    function = function_of(f"if {test}:\n    g()", "x, other, convert", HEADER + GIVEN)
    block, branch = branch_of(function)
    assert is_alike(function, block, branch, branch.test) is alike


LOOPS: list[tuple[str, bool]] = [
    ("range(3)", True),
    ("range(size)", True),
    ("range(rank)", False),
    ("range(args.depth)", True),
    ("range(args.rank)", False),
    ("range(x)", False),
    ("x", False),
    ("args.rows", False),
]


@pytest.mark.parametrize(("iterable", "alike"), LOOPS)
def test_passes(iterable: str, alike: bool) -> None:
    function = function_of(f"for one in {iterable}:\n    g()", "x", HEADER + GIVEN)
    block, branch = branch_of(function)
    assert is_alike(function, block, branch, branch.test) is alike


def test_a_part_of_a_test() -> None:
    function = function_of("if x and args.depth:\n    g()", "x", HEADER + GIVEN)
    block, branch = branch_of(function)
    assert isinstance(branch.test, ir.BooleanOperation)
    assert [is_alike(function, block, branch, operand) for operand in branch.test.operands] == [False, True]


@pytest.mark.parametrize(
    ("body", "alike"),
    [
        ("opts = parser.parse_args()\nif opts.depth:", True),
        ("opts = parse_args()\nif opts.depth:", False),
        ("opts = parser.other()\nif opts.depth:", False),
        ("opts = x\nif opts.depth:", False),
        ("opts = parser.parse_args()\nopts = x\nif opts.depth:", False),
    ],
)
def test_options(body: str, alike: bool) -> None:
    function = function_of(f"{body}\n    g()", "x, parser", HEADER)
    block, branch = branch_of(function)
    assert is_alike(function, block, branch, branch.test) is alike
