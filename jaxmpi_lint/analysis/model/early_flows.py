"""Data flows computed while the body of a module was still running, when its globals were incomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow, Function, Module, Program


class EarlyFlows:
    """Data flows of functions called at import, computed during the module's own data flow.

    The value of a global was then possibly less than, or different from, its final value once the module has run; if it
    was, these data flows are discarded and recomputed on the next request.
    """

    def __init__(self, _: Program) -> None:
        self._computed: list[Function] = []

    def mark(self) -> int:
        """The current number, to be passed to ``complete`` when a data flow that starts now is finished."""
        return len(self._computed)

    def complete(self, function: Function, flow: Flow, mark: int) -> None:
        """Record a data flow; that of a module invalidates those computed since ``mark``."""
        if function.ir.kind != "module":
            self._computed.append(function)
        elif _has_misled(function.module_model, flow):
            for early in dict.fromkeys(self._computed[mark:]):
                _forget(early)
            function.project.summaries.forget_silent()


def _has_misled(model: Module, flow: Flow) -> bool:
    """Whether the final value of a global differs from the one used while the module ran."""
    told: dict[str, Value | None] = model.told_early
    return any(name in model.written_names or flow.exit.get(name) != value for name, value in told.items())


def _forget(function: Function) -> None:
    if function.project.is_running(function):
        return
    function.forget()
    owner = function.ir.owner
    if owner is not None:
        function.module_model.class_model(owner).forget()
