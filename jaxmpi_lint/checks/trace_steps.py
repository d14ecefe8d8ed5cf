"""Steps that explain how a function gets traced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.findings.model import Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.analysis.tracing.traced_functions import Trace


def trace_steps(function: Function, last: Trace | None = None) -> tuple[Step, ...]:
    """The application of a transform, then the calls that lead from there to the function."""
    story = function.project.traced.story(function, last)
    names = [_shown(trace.caller, function) for trace in story[1:]] + [_shown(function.key, function)]
    return tuple(
        Step(trace.module, trace.span, f"`{trace.transform.name}` traces {name}")
        if trace.caller is None
        else Step(trace.module, trace.span, f"calls {name} while tracing")
        for trace, name in zip(story, names, strict=True)
    )


def entry_name(function: Function, last: Trace | None = None) -> str:
    """The name of the function to which the transform is applied."""
    story = function.project.traced.story(function, last)
    return _shown(story[1].caller if len(story) > 1 else function.key, function)


def _shown(key: tuple[str, str] | None, function: Function) -> str:
    name = key[1].rpartition(".")[2].partition("@")[0] if key is not None else function.ir.name
    return "a lambda" if name.startswith("<") else f"`{name}`"
