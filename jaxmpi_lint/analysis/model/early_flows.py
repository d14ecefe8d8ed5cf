"""Data flows that were computed while the body of a module still ran, when its globals were half known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.lattice.lattice import Value

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Flow, Function, Module, Program


class EarlyFlows:
    """Functions called at import are asked for in the middle of the module's own data flow.

    What a global held for them then may be less than, or something else than, what it holds once the module has run;
    where it is, they are forgotten and computed anew when they are next asked for.
    """

    def __init__(self, _: Program) -> None:
        self._computed: list[Function] = []

    def mark(self) -> int:
        """How many there are now, to be given to ``complete`` when a data flow that starts now is known."""
        return len(self._computed)

    def complete(self, function: Function, flow: Flow, mark: int) -> None:
        """Note a data flow; that of a module corrects what was computed since ``mark``."""
        if function.ir.kind != "module":
            self._computed.append(function)
        elif _has_misled(function.module_model, flow):
            for early in dict.fromkeys(self._computed[mark:]):
                _forget(early)
            function.project.summaries.forget_silent()


def _has_misled(model: Module, flow: Flow) -> bool:
    """Whether a global turned out to hold something else than was told while the module ran."""
    told: dict[str, Value | None] = model.told_early
    return any(name in model.written_names or flow.exit.get(name) != value for name, value in told.items())


def _forget(function: Function) -> None:
    if function.project.is_running(function):
        return
    function.forget()
    owner = function.ir.owner
    if owner is not None:
        function.module_model.class_model(owner).forget()
