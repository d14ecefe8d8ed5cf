"""The ordered effect that all operations share; it uses private parts of JAX."""

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
    """Keeps operations in program order: within compiled functions, loops and branches, and between calls."""

    def __eq__(self, other: object) -> bool:
        """All instances are equal."""
        return isinstance(other, Communication)

    def __hash__(self) -> int:
        """A hash that is equal in every process, because names are derived from it."""
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
    # Keep derivatives of results that this rank does not use: the derivatives of other ranks wait for them.
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
    """Make calls return only after their communication, so that an error is raised by the call that failed.

    The token of a failed call would make every later operation raise the same error. Waiting also prevents later calls
    of mpi4py from overtaking. It costs little: JAX waits for the token of a call before it starts the next one.
    """
    tokens = type(dispatch.runtime_tokens)
    keep, give = tokens.set_token_result, tokens.get_token_input
    first: dict[tuple[Any, ...], Any] = {}  # devices -> a token that is ready

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

# mpi4py finalises MPI after this handler has run.
atexit.register(jax.effects_barrier)
