"""Effects of transforms on control flow: code that runs only while tracing, or never."""

from __future__ import annotations

from collections.abc import Callable, Collection

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.conditions.three_valued import decide
from jaxmpi_lint.library.jax.tracers import ATTACHING_RULES, EAGER_TESTS, TRACER_CLASSES, TRACER_TESTS
from jaxmpi_lint.library.model import Tracing, Transform

Decision = Callable[[ir.Block, ir.Branch], tuple[int, ...] | None]

_STAGED = frozenset({Tracing.STAGE, Tracing.LOOP, Tracing.BRANCH})


def tier(transform: Transform) -> int:
    """How certainly a transform traces: 0 the body runs once to be recorded, 1 at each call with tracers, 2 possibly
    not.
    """
    if transform.name in ATTACHING_RULES:
        return 2
    return 0 if transform.tracing in _STAGED else 1


def traced_blocks(function: ir.Function, decide: Decision = lambda block, branch: None) -> frozenset[int]:
    """The blocks that can be reached when tests for tracers are true.

    ``decide`` gives the targets of further branches, None where it does not determine them.
    """
    seen, stack = {0}, [0]
    while stack:
        block = function.blocks[stack.pop()]
        branch = block.terminator
        decided = decide(block, branch) if isinstance(branch, ir.Branch) else None
        for target in (*(_targets(block) if decided is None else decided), *block.handlers):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return frozenset(seen)


def traced_calls(function: ir.Function, blocks: Collection[int] | None = None) -> frozenset[ir.Span]:
    """The calls of a function that are made when it is traced."""
    reached = traced_blocks(function) if blocks is None else blocks
    return frozenset(
        step.expression.span
        for block in function.blocks
        if block.index in reached
        for step in block.steps
        if isinstance(step, ir.Evaluate) and isinstance(step.expression, ir.Call)
    )


def _targets(block: ir.Block) -> tuple[int, ...]:
    if not isinstance(block.terminator, ir.Branch):
        return block.successors
    outcome = decide(block.terminator.test, _under_tracer)
    if outcome is None:
        return block.successors
    return (block.terminator.when_true if outcome else block.terminator.when_false,)


def _under_tracer(test: ir.Expression) -> bool | None:
    """The outcome of a call when the values are tracers, None if it tests something else."""
    return _tracer_call(_last_name(test.func), test.args) if isinstance(test, ir.Call) else None


def _tracer_call(name: str, args: tuple[ir.Argument, ...]) -> bool | None:
    if name == "isinstance" and len(args) == 2:
        names = {_last_name(node) for node in ir.walk(args[1].value)}
        return True if names & TRACER_CLASSES else None
    if name in TRACER_TESTS or name in EAGER_TESTS:
        return name in TRACER_TESTS
    return None


def _last_name(expression: ir.Expression) -> str:
    return (ir.dotted(expression) or "").rpartition(".")[2]
