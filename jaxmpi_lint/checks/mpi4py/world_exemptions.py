"""Exemptions: functions that take a communicator and use ``COMM_WORLD`` as well, intentionally."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import is_read
from jaxmpi_lint.analysis.lattice.event_parts import Place
from jaxmpi_lint.analysis.lattice.lattice import WORLD, Communicator
from jaxmpi_lint.analysis.lattice.trace import Evidence, Exemption, Subject
from jaxmpi_lint.analysis.model.call_graph import CallSite, CallSites
from jaxmpi_lint.analysis.model.communicator_parameters import OwnCommunicator
from jaxmpi_lint.analysis.model.overriding import overrides
from jaxmpi_lint.checks.mpi4py.world_reads import named_world
from jaxmpi_lint.checks.mpi4py.world_uses import WorldUses

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.bound_call import BoundCall
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.lattice.lattice import Environment

_OF_A_PART = re.compile(
    r"sub|node|local|row|col(?!l)|inter|intra|shared|shm|lead|group|cart|split|team|replica|ensemble|pool|space|time|io_|"
    r"(?:^|[._])icomm|parent|child|remote|server|client"
)
_ASKED = frozenset({"Get_rank", "Get_size", "rank", "size"})
_CLOCKS = frozenset({"Wtime", "time", "perf_counter", "monotonic", "process_time", "time_ns", "perf_counter_ns"})


@dataclass(frozen=True, slots=True)
class WorldCandidate:
    """A use of ``COMM_WORLD`` in a function that takes a communicator; ``bound`` is the call, if it is a collective."""

    uses: WorldUses
    span: ir.Span
    block: int | None = None
    bound: BoundCall | None = None

    @property
    def function(self) -> Function:
        """The function."""
        return self.uses.function

    @property
    def own(self) -> OwnCommunicator:
        """The communicator that it takes."""
        return self.uses.own

    @property
    def subject(self) -> Subject:
        """The use, for a trace."""
        return Subject.of(self.function, self.span)


def _exemption(name: str, why: str, seen: str, holds: Callable[[WorldCandidate], bool]) -> Exemption[WorldCandidate]:
    """An exemption; ``seen`` may refer to the given communicator as ``{own}``."""

    def applies(candidate: WorldCandidate) -> Evidence | None:
        if not holds(candidate):
            return None
        return Evidence(seen.format(own=candidate.own.text), Place(candidate.function.module, candidate.span))

    return Exemption(name, why, applies)


def _is_unread(candidate: WorldCandidate) -> bool:
    function, text = candidate.function, candidate.own.text
    return "." not in text and not is_read(function, text) and overrides(function)


def _is_of_a_part(candidate: WorldCandidate) -> bool:
    return bool(candidate.uses.own_calls) and bool(_OF_A_PART.search(candidate.own.text.lower()))


def _are_both_named(candidate: WorldCandidate) -> bool:
    function, text = candidate.function, candidate.own.text
    uses_own = bool(candidate.uses.own_calls) or "." in text or is_read(function, text)
    return uses_own and _names_world(function)


OF_THE_FUNCTION: tuple[Exemption[WorldCandidate], ...] = (
    _exemption(
        "named-world",
        "The name of the given communicator states that it is COMM_WORLD.",
        "the function takes `{own}`",
        lambda candidate: "world" in candidate.own.text.lower(),
    ),
    _exemption(
        "world-passed",
        "Every call in the project passes COMM_WORLD for the communicator.",
        "all calls pass COMM_WORLD for `{own}`",
        lambda candidate: _is_passed_everywhere(candidate.function, candidate.own),
    ),
    _exemption(
        "test-function",
        "The function is a test, and the test runner passes the communicator.",
        "its name begins with `test`",
        lambda candidate: candidate.function.ir.name.startswith("test"),
    ),
    _exemption(
        "fills-field",
        "The function itself assigns the attribute that holds the communicator.",
        "the function assigns `{own}`",
        lambda candidate: _fills_field(candidate.function, candidate.own),
    ),
    _exemption(
        "unread-parameter",
        "The method overrides a method with this parameter, and does not need it.",
        "`{own}` is never read",
        _is_unread,
    ),
    _exemption(
        "joined",
        "A call takes both communicators, or the group of COMM_WORLD is queried.",
        "one call uses both `{own}` and COMM_WORLD",
        lambda candidate: _joins(candidate.function, candidate.own),
    ),
    _exemption(
        "compared",
        "The given communicator is compared with COMM_WORLD.",
        "`{own}` is compared with COMM_WORLD",
        lambda candidate: _compares(candidate.function, candidate.own),
    ),
    _exemption(
        "part-of-the-world",
        "The name of the given communicator states that it is a subset of COMM_WORLD, and the function uses both.",
        "`{own}` is the name of a subset",
        _is_of_a_part,
    ),
    _exemption(
        "both-named",
        "The function has a separate name for COMM_WORLD besides the given communicator.",
        "a name that contains `world` is assigned `COMM_WORLD`",
        _are_both_named,
    ),
)
OF_A_COLLECTIVE: tuple[Exemption[WorldCandidate], ...] = (
    _exemption(
        "own-freed",
        "The function frees the given communicator, so only COMM_WORLD remains.",
        "`{own}` is freed in the function",
        lambda candidate: candidate.uses.frees_own,
    ),
    _exemption(
        "none-given",
        "The call is made only where no communicator was given.",
        "a test leads here only if `{own}` is not given",
        lambda candidate: candidate.block is not None and candidate.uses.has_none(candidate.block),
    ),
    _exemption(
        "held-in-a-field",
        "The call names an attribute or an element that holds COMM_WORLD here, and may hold a different communicator.",
        "the call does not name COMM_WORLD itself",
        lambda candidate: candidate.bound is not None and named_world(candidate.bound) is None,
    ),
    _exemption(
        "for-the-clock",
        "A barrier synchronises all ranks in a function that measures time.",
        "this is a barrier, and the function measures time",
        lambda candidate: candidate.bound is not None and _is_for_the_clock(candidate.function, candidate.bound),
    ),
    _exemption(
        "own-rank-sent",
        "The data sent is the rank or the size in the given communicator.",
        "the data sent is the rank in `{own}`, or its size",
        lambda candidate: (
            candidate.bound is not None and _sends_own_rank(candidate.function, candidate.own, candidate.bound)
        ),
    ),
)
EXEMPTIONS: tuple[Exemption[WorldCandidate], ...] = (*OF_THE_FUNCTION, *OF_A_COLLECTIVE)
"""All exemptions, in the order in which they apply."""


def _is_passed_everywhere(function: Function, own: OwnCommunicator) -> bool:
    """Whether there are calls of the function that takes the communicator, and all of them pass the world."""
    module = function.project.module(own.module.path)
    taking = [
        (taker, parameter.name)
        for taker in (module.functions() if module is not None else ())
        for parameter in taker.ir.parameters
        if parameter.span == own.span
    ]
    return bool(taking) and all(_gets_world(taker, name, frozenset()) for taker, name in taking)


def _gets_world(taker: Function, parameter: str, seen: frozenset[tuple[str, ...]]) -> bool:
    """Whether there are calls of a function, and all of them pass the world, or a parameter that is the world."""
    seen |= {(*taker.key, parameter)}
    sites = taker.project.get(CallSites).of(taker)
    return bool(sites) and all(_passes_world(site, taker, parameter, seen) for site in sites)


def _passes_world(site: CallSite, taker: Function, parameter: str, seen: frozenset[tuple[str, ...]]) -> bool:
    names = [one.name for one in taker.ir.parameters if one.name != taker.self_name]
    given = site.bound.call.argument(names.index(parameter), parameter)
    if given is None or site.bound.call.has_star:
        return False
    env = site.caller.flow.environment_before(site.block, None)
    if _is_world(site.caller.value(given, env).entity):
        return True
    passed = ir.dotted(given)
    if passed is not None and passed == site.caller.self_name:
        return True  # an object of the project, which decides itself on which communicator it works
    if passed not in {one.name for one in site.caller.ir.parameters} or site.caller.rebinds(passed):
        return False
    return (*site.caller.key, passed) in seen or _gets_world(site.caller, passed, seen)


def _names_world(function: Function) -> bool:
    return any(
        isinstance(step, ir.Assign)
        and any(isinstance(target, ir.Name) and "world" in target.id.lower() for target in step.targets)
        and step.value is not None
        and (ir.dotted(step.value) or "").endswith("COMM_WORLD")
        for step in function.ir.steps()
    )


def _is_for_the_clock(function: Function, bound: BoundCall) -> bool:
    """Whether a barrier synchronises the ranks for a time measurement."""
    if bound.operation is None or bound.operation.method.lower() != "barrier":
        return False
    return any((ir.dotted(call.func) or "").rpartition(".")[2] in _CLOCKS for call in function.ir.calls())


def _sends_own_rank(function: Function, own: OwnCommunicator, bound: BoundCall) -> bool:
    """Whether a call on the world sends the rank or the size in the given communicator."""
    if bound.operation is None:
        return False
    sent = {ir.dotted(argument) for argument in map(bound.argument, bound.operation.sends) if argument is not None}
    asked = [value for name in sent if name for value in function.assignments.get(name, {}).values()]
    given = [argument.value for argument in bound.call.args]
    return any(_asks_own(own, expression) for expression in (*asked, *given))


def _asks_own(own: OwnCommunicator, expression: ir.Expression) -> bool:
    asked = expression.func if isinstance(expression, ir.Call) else expression
    return isinstance(asked, ir.Attribute) and asked.attr in _ASKED and ir.dotted(asked.value) == own.text


def _fills_field(function: Function, own: OwnCommunicator) -> bool:
    """Whether a function itself assigns the attribute that holds the communicator."""
    return "." in own.text and any(
        isinstance(step, ir.Assign) and own.text in {ir.dotted(target) for target in step.targets}
        for step in function.ir.steps()
    )


def _joins(function: Function, own: OwnCommunicator) -> bool:
    """Whether a call takes both communicators, or the group of the world is queried."""
    for _, step, env in function.steps():
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call):
            call = step.expression
            given = [argument.value for argument in call.args]
            if isinstance(call.func, ir.Attribute):
                given.append(call.func.value)
            if _has_both(function, own, given, env) or _asks_group(function, call, env):
                return True
    return False


def _asks_group(function: Function, call: ir.Call, env: Environment) -> bool:
    return any(
        isinstance(node, ir.Attribute)
        and node.attr in ("group", "Get_group")
        and _is_world(function.value(node.value, env).entity)
        for node in ir.walk(call)
    )


def _compares(function: Function, own: OwnCommunicator) -> bool:
    for block, branch, _ in function.branches():
        env = function.flow.environment_before(block.index, None)
        for node in ir.walk(branch.test):
            if isinstance(node, ir.Comparison) and _has_both(function, own, list(node.operands), env):
                return True
    return False


def _has_both(function: Function, own: OwnCommunicator, given: list[ir.Expression], env: Environment) -> bool:
    if own.text not in {ir.dotted(expression) for expression in given}:
        return False
    return any(_is_world(function.value(expression, env).entity) for expression in given)


def _is_world(entity: object) -> bool:
    return isinstance(entity, Communicator) and entity.context == WORLD
