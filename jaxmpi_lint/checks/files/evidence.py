"""Places that show that several ranks run a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.expected_failures import is_test_file
from jaxmpi_lint.analysis.conditions.guards import tests_rank
from jaxmpi_lint.analysis.participation.must_collectives import MustCollectives
from jaxmpi_lint.analysis.participation.spmd_code import is_for_some, is_foreign_flag, reads_of_ranks
from jaxmpi_lint.checks.files.uses import FileUses
from jaxmpi_lint.library.levels import Level

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function

_PARALLEL = re.compile(r"(?<![a-z])(?:mpi|comm|nprocs|n_?procs|nhost|process_count|petsc4py)(?![a-z])", re.IGNORECASE)
_TEST_PARTS = re.compile(
    r"(?:setup|teardown)(?:_(?:module|method|class|function))?|setUp(?:Class|Module)?|tearDown(?:Class|Module)?|test\w*"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place that shows that several ranks run a function.

    ``of_all``: the ranks do something together there, or the code treats them differently, so that all of them are
    meant to run the function; a mere read of the rank does not say that. ``for_later``: it says nothing about what the
    function does before, which may prepare the input of a parallel part.
    """

    function: Function
    block: int
    span: ir.Span
    message: str
    of_all: bool = False
    for_later: bool = False


def own_evidence(function: Function) -> Iterator[Evidence]:
    """What a function itself shows."""
    yield from _communication(function)
    yield from _common_files(function)
    yield from _questions(function)
    if not is_test_file(function.module.path):
        yield from _calls(function)


def evidence_of_tests(function: Function) -> Iterator[Evidence]:
    """The communication of the tests of a file, for their set-up."""
    if is_test_file(function.module.path) and _TEST_PARTS.fullmatch(function.ir.name):
        for other in function.module_model.functions():
            if other.ir.name.startswith("test"):
                yield from _communication(other)


def is_rank_test(function: Function, test: ir.Expression) -> bool:
    """Whether a test compares a rank with a number, or asks whether this is the root."""
    return tests_rank(function.module.source(test.span))


def _communication(function: Function) -> Iterator[Evidence]:
    """Communication that all ranks reach."""
    for block, bound in function.calls_by_block:
        communicator = bound.communicator
        is_common = bound.operation_may_communicate and communicator is not None and not communicator.is_self
        if is_common and bound.known_operation.shows_several_processes and not is_for_some(function, block):
            yield Evidence(function, block, bound.call.span, "all ranks communicate here", of_all=True)


def _common_files(function: Function) -> Iterator[Evidence]:
    """Files that the ranks of a communicator open as one."""
    for use in function.get(FileUses).found:
        if use.together and not is_for_some(function, use.block):
            yield Evidence(function, use.block, use.call.span, "all ranks open a file together here", of_all=True)


def _questions(function: Function) -> Iterator[Evidence]:
    """Tests of the rank, and reads of it. What a test asserts, or passes on, holds for one process as well."""
    is_parallel = bool(_PARALLEL.search(function.module.text))
    is_test = is_test_file(function.module.path)
    for block, branch, value in function.branches():
        if is_test and branch.kind == "assert":
            continue
        is_of_rank = value.content.level is Level.RANK and not is_foreign_flag(
            function, branch.test.span, value.content
        )
        if is_of_rank or (is_parallel and is_rank_test(function, branch.test)):
            message = "the function distinguishes the ranks here"
            yield Evidence(function, block.index, branch.test.span, message, of_all=True)
    for index, span, found in () if is_test else reads_of_ranks(function):
        if not is_foreign_flag(function, span, found):
            yield Evidence(function, index, span, "the function reads the rank here")


def _calls(function: Function) -> Iterator[Evidence]:
    """Calls of functions of the project that communicate on every path."""
    collectives = MustCollectives(function, lambda communicator: not communicator.is_self)
    direct = {bound.call.span for bound in function.operation_calls}
    for block in sorted({block for block, _, _ in function.calls_of_functions}):
        if not is_for_some(function, block):
            for found in collectives.all_in_block(block):
                if found.at not in direct and found.operation.shows_several_processes:
                    message = "all ranks communicate in this called function"
                    yield Evidence(function, block, found.at, message, of_all=True, for_later=True)
