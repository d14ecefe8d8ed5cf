"""The one ordered effect of all operations, and what JAX keeps private about effects."""

from __future__ import annotations

import atexit
import functools
from typing import Any

import jax
from jax._src import dispatch, effects
from jax.interpreters import mlir

try:
    from jax.ffi import abstract_token  # jax 0.11
except ImportError:
    from jax._src.core import abstract_token

TOKEN: Any = abstract_token
TokenSet: Any = mlir.TokenSet


class Communication(effects.Effect):  # type: ignore[misc]  # jax is not typed here
    """Operations keep the order of the program: in a compiled function, its loops and branches, and between calls."""

    def __eq__(self, other: object) -> bool:
        """All are one."""
        return isinstance(other, Communication)

    def __hash__(self) -> int:
        """The same in every process, for names that derive from it."""
        return 0x6D7069

    def __repr__(self) -> str:
        return "communication by MPI"


EFFECT = Communication()

for known in (
    effects.lowerable_effects,
    effects.ordered_effects,
    effects.control_flow_allowed_effects,
    effects.custom_derivatives_allowed_effects,
    effects.remat_allowed_effects,
    # Derivatives of a result that this rank does not use are kept: the other ranks' derivatives wait for it.
    getattr(effects, "partial_eval_kept_effects", effects.remat_allowed_effects),
):
    known.add_type(Communication)


def token_in(context: mlir.LoweringRuleContext) -> Any:
    """The token that the operation waits for."""
    return context.tokens_in.get(EFFECT)


def token_out(context: mlir.LoweringRuleContext, token: Any) -> None:
    """Later operations wait for this token."""
    context.set_tokens_out(TokenSet({EFFECT: token}))


def _settle_calls() -> None:
    """Let calls return when their communication is done, so that what went wrong is raised where it went wrong.

    A token of a failed call would make every later operation raise the same error again. It also keeps calls of mpi4py
    that follow in the program from overtaking. JAX waits for the token of a call before it starts the next one anyway.
    """
    tokens = type(dispatch.runtime_tokens)
    keep, give = tokens.set_token_result, tokens.get_token_input
    first: dict[tuple[Any, ...], Any] = {}  # devices -> a token that waits for nothing

    @functools.wraps(give)
    def get_token_input(self: Any, of: effects.Effect, devices: list[Any]) -> Any:
        if of != EFFECT:
            return give(self, of, devices)
        if tuple(devices) not in first:
            first[tuple(devices)] = give(self, of, devices)
            del self.current_tokens[of]
        return first[tuple(devices)]

    @functools.wraps(keep)
    def set_token_result(self: Any, of: effects.Effect, token: Any) -> None:
        if of != EFFECT:
            keep(self, of, token)
            return
        try:
            token.block_until_ready()
        except BaseException:
            self.output_runtime_tokens.clear()
            raise

    tokens.get_token_input, tokens.set_token_result = get_token_input, set_token_result


_settle_calls()

# mpi4py finalises MPI after all of these.
atexit.register(jax.effects_barrier)
