"""Code that several ranks run: what shows it, and the tests that may leave out all ranks but one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.passed_arguments import default_of, is_parameter
from jaxmpi_lint.analysis.conditions.guards import Guard, exclude_each_other, guards
from jaxmpi_lint.analysis.conditions.one_rank import asks_for_program
from jaxmpi_lint.analysis.lattice.limits import ROLE_CALLERS
from jaxmpi_lint.analysis.model.call_graph import CallSites
from jaxmpi_lint.analysis.model.call_sites import CallSites as NamedCalls
from jaxmpi_lint.analysis.participation.call_failures import is_of_one_process
from jaxmpi_lint.analysis.participation.job_starters import starts_jobs, starts_workers
from jaxmpi_lint.analysis.participation.role_decorators import selects_ranks
from jaxmpi_lint.analysis.participation.spmd_code import (
    conjuncts,
    is_end_of_loop,
    is_for_some,
    raises_instead,
)
from jaxmpi_lint.checks.files.claims import is_of_claim
from jaxmpi_lint.checks.files.evidence import Evidence, evidence_of_tests, is_rank_test, own_evidence
from jaxmpi_lint.checks.files.paths import Frame
from jaxmpi_lint.checks.files.sharing import Sameness, Sharing
from jaxmpi_lint.checks.files.turns import runs_in_turn
from jaxmpi_lint.checks.files.unmet_tests import UnmetTests
from jaxmpi_lint.library.levels import Level
from jaxmpi_lint.library.python.process_values import FOLDERS_OF_TESTS

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Program

_ONE_PROCESS = re.compile(
    r"mpi4py\.futures|MPIPool|MPICommExecutor|schwimmbad|dask_mpi|dask\.distributed|multiprocessing|ProcessPool|"
    r"subprocess\.Popen\(\[?['\"]mpi|is_master\(\)|os\.fork\b"
)
"""Programs whose main part runs on one process, or which start further processes themselves."""

_IN_TURN = re.compile(r"begin_?sequential|seq_?begin|in_?turn", re.IGNORECASE)
"""Calls after which the ranks run one after the other."""

_LOOKS = re.compile(r"(?:exists|is_?dir|is_?file|is_?link)\(")
_ORDERED = re.compile(r"<|>")
_SIZE_TEST = re.compile(
    r"(?<![a-z])(?:size|n_?procs?|n_?ranks|nhosts?|num_(?:procs|ranks|processes)|process_count|world_size)(?:\(\))?"
    r"\s*(?:==|!=|<=?|>=?)\s*[12]\b",
    re.IGNORECASE,
)
_SERIAL = re.compile(r"mpi_skip|serial|skip(?:\(|$)")


class Reach:
    """Answers for one project."""

    def __init__(self, project: Program) -> None:
        self._sites = project.get(CallSites)
        self._named = project.get(NamedCalls)
        self._sharing = project.get(Sharings).sharing
        self._unmet = project.get(UnmetTests)
        self._evidence: dict[tuple[str, str], tuple[Evidence, ...]] = {}
        self._some: dict[tuple[str, str], bool] = {}

    def by_several(self, function: Function, block: int, span: ir.Span) -> Evidence | None:
        """Why several ranks run a place of a function at the same time; None if that is not known."""
        shown = self._shown(function)
        return next((one for one in shown if _is_about(function, one, block, span)), None)

    def by_all(self, function: Function, block: int, span: ir.Span) -> bool:
        """Whether the function itself shows that all ranks are meant to run a place."""
        shown = (one for one in self._shown(function) if one.of_all and one.function is function)
        return any(_is_about(function, one, block, span) for one in shown)

    def may_be_all(self, function: Function) -> bool:
        """Whether nothing in sight restricts the ranks that run a function."""
        if _IN_TURN.search(function.module.source(function.ir.span)):
            return False
        if any(one.name in FOLDERS_OF_TESTS for one in function.ir.parameters):
            return False
        alone = _is_of_one(function) or function.module.path.endswith(".ipynb")
        return not alone and not self._is_of_some(function, 0)

    def _shown(self, function: Function) -> tuple[Evidence, ...]:
        if function.key not in self._evidence:
            self._evidence[function.key] = ()
            self._evidence[function.key] = tuple(self._found(function))
        return self._evidence[function.key]

    def _found(self, function: Function) -> Iterator[Evidence]:
        if self.may_be_all(function):
            yield from own_evidence(function)
            yield from evidence_of_tests(function)

    def _is_of_some(self, function: Function, depth: int) -> bool:
        """Whether a visible caller, a decorator or an enclosing function may leave out ranks."""
        if function.key not in self._some:
            self._some[function.key] = False
            self._some[function.key] = self._has_role(function, depth)
        return self._some[function.key]

    def _has_role(self, function: Function, depth: int) -> bool:
        decorators = (function.module.source(decorator.span) for decorator in function.ir.decorators)
        if selects_ranks(function) or any(map(_SERIAL.search, decorators)):
            return True
        if function.parent is not None and function.ir.kind == "function" and self._is_of_some(function.parent, depth):
            return True
        for site in self._sites.of(function):
            if is_for_some(site.caller, site.block) or runs_in_turn(site.caller, site.span):
                return True
            if _is_of_one(site.caller):
                return True
            if depth < ROLE_CALLERS and self._is_of_some(site.caller, depth + 1):
                return True
        return self._is_named_by_some(function)

    def _is_named_by_some(self, function: Function) -> bool:
        """Whether some ranks call a method of this name, of an object that may have it."""
        if function.ir.owner is None or self._sites.of(function):
            return False
        return any(
            bound.call is call and bound.callee.entity is None and is_for_some(caller, block)
            for caller, call in self._named.by_name(function)
            for block, bound in caller.calls_by_block
        )

    # --- tests around a place ---

    def reaches(self, function: Function, block: int, frame: Frame | None = None) -> bool:
        """Whether no test around a block, and no decorator, may leave out all ranks or all but one."""
        if is_for_some(function, block) or selects_ranks(function) or is_of_one_process(function, block):
            return False
        return all(self._lets_pass(function, guard, frame) for guard in guards(function, block))

    def _lets_pass(self, function: Function, guard: Guard, frame: Frame | None) -> bool:
        test = guard.branch.test
        if asks_for_program(test) or is_end_of_loop(guard):
            return True
        if raises_instead(function, guard):  # an exception on all ranks but one says which of them may call
            return guard.fact is None and not is_rank_test(function, test)
        if guard.branch.kind == "while":
            return True
        if guard.branch.kind == "except":
            return False
        if isinstance(test, ir.Element):
            return guard.test.content.level is not Level.RANK
        if self._unmet.has(function, guard, frame):
            return False
        if is_of_claim(function, test):
            return False
        return all(self._is_common(function, one, truth, frame) for one, truth in conjuncts(test, guard.truth))

    def _is_common(self, function: Function, condition: ir.Expression, truth: bool, frame: Frame | None) -> bool:
        """Whether a condition is common to the ranks, or compares data that several of them may have."""
        if _SIZE_TEST.search(function.module.source(condition.span)):
            return False
        level = function.value(condition, function.flow.exit).content.level
        if level is not Level.UNKNOWN:
            return level is not Level.RANK
        match condition:
            case ir.Comparison(operators=operators, operands=operands):
                if any(_ORDERED.search(operator) for operator in operators):
                    return True
                if any(isinstance(one, ir.BinaryOperation) and one.operator == "%" for one in operands):
                    return True
            case ir.BooleanOperation(operands=operands):
                return all(self._is_common(function, one, truth, frame) for one in operands)
            case ir.Call() if _LOOKS.search(function.module.source(condition.span)):
                return True
            case ir.Name(id=name) if is_parameter(function, name) and not self._sites.of(function):
                default = default_of(function, name)
                return isinstance(default, ir.Constant) and bool(default.value) == truth
        return self._sharing.of(function, condition, frame) is Sameness.SAME


def _is_of_one(function: Function) -> bool:
    """Whether the file of a function is that of one process, which may start others."""
    text = function.module.text
    return bool(_ONE_PROCESS.search(text)) or starts_jobs(text) or starts_workers(text)


class Sharings:
    """Answers to questions about shared paths of a project; ``by_all``: in functions that all ranks run together."""

    def __init__(self, project: Program) -> None:
        calls = project.get(CallSites), project.get(NamedCalls)
        self.sharing = Sharing(*calls)
        self.by_all = Sharing(*calls, together=True)


def _is_about(function: Function, evidence: Evidence, block: int, span: ir.Span) -> bool:
    """Whether an execution of a function that reaches a place may also show that there are several ranks."""
    if evidence.function is not function:
        return True
    if evidence.for_later and not _is_later(function, evidence, block, span):
        return False
    return not exclude_each_other(function, evidence.block, block)


def _is_later(function: Function, evidence: Evidence, block: int, span: ir.Span) -> bool:
    if block == evidence.block:
        return evidence.span < span
    return block in function.graph.reachable(evidence.block)
