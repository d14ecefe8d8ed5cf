"""Code for the token interface of mpi4jax before 0.8, and its replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import is_mpi4jax_itself, takes_tokens
from jaxmpi_lint.checks.mpi4jax.removed_names import RemovedName, removed_names
from jaxmpi_lint.checks.mpi4jax.token_calls import Taking, TokenCall, TokenStyle, token_style
from jaxmpi_lint.checks.mpi4jax.token_codemod import Removal, TokenRemoval
from jaxmpi_lint.findings.diagnostics import Applicability, Confidence
from jaxmpi_lint.findings.model import Place, Repair, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Module

_CERTAIN = frozenset({"token", "name", "position"})
_PAIRS = frozenset({Taking.UNPACKED, Taking.INDEXED, Taking.NAMED, Taking.RETURNED})


@dataclass(frozen=True, slots=True)
class OldCall:
    """A call written for tokens; ``removal`` is None where no edit provably keeps the meaning."""

    module: ir.Module
    style: TokenStyle
    call: TokenCall
    reason: str
    removal: Removal | None

    @property
    def kind(self) -> str:
        """The evidence; where a token is passed, also whether a pair is expected."""
        if self.reason == "token" and self.call.yields_array and self.call.taken.taking in _PAIRS:
            return "token and pair"
        return self.reason

    @property
    def name(self) -> str:
        """The name that is called, as it is written."""
        return self.call.spelling

    @property
    def current(self) -> str:
        """The current name of the operation."""
        return self.call.spelling.lower()

    @property
    def how(self) -> str:
        """A remark on the removal of the token."""
        if self.removal is not None:
            return "; operations keep their program order without it"
        return ", here and where the result is used: the result is only the array"

    @property
    def place(self) -> Place:
        """The call."""
        return Place(self.module, self.call.call.span)

    @property
    def confidence(self) -> Confidence:
        """Medium where an unpacking is the only evidence."""
        return Confidence.HIGH if self.reason in _CERTAIN else Confidence.MEDIUM

    def steps(self) -> Iterator[Step]:
        """Where the token comes from, where it is passed, and where the result is unpacked."""
        token = self.call.token
        if token is not None:
            made = self._made(token.value)
            if made is not None:
                yield Step(self.module, made, "the token comes from here")
            yield Step(self.module, token.span, "raises RuntimeError since mpi4jax 0.8")
        for pair in self.call.pairs:
            yield Step(self.module, pair.span, "unpacks rows of the array, not (array, token)")

    def _made(self, token: ir.Expression) -> ir.Span | None:
        """The last statement before the call that binds the token, if it is not the statement of the call."""
        stores = self.style.scope.stores(token.id) if isinstance(token, ir.Name) else []
        made = [step.span for step in stores if step.span[0] < self.call.call.span[0]]
        return made[-1] if made and made[-1] != self.call.taken.span else None


def old_interface(module: Module) -> Iterator[OldCall | RemovedName]:
    """The calls and names of the old interface in a file; the tokens of all its functions are followed together."""
    if takes_tokens(module.project) or is_mpi4jax_itself(module.project):
        return
    styles = [style for function in module.functions() if (style := token_style(function)) is not None]
    removal = TokenRemoval(styles)
    for style in styles:
        for call, reason in style.old():
            yield OldCall(module.ir, style, call, reason, removal.of(call))
    yield from removed_names(module)


def modernise(found: OldCall | RemovedName) -> Repair | None:
    """The fix: remove the token, or use the current name."""
    if isinstance(found, RemovedName):
        return Repair(Applicability.SAFE, f"use {found.replacement}", found.edits) if found.edits else None
    if found.removal is None:
        return None
    safety = Applicability.SAFE if found.removal.safe else Applicability.UNSAFE
    return Repair(safety, "remove the token", found.removal.edits)
