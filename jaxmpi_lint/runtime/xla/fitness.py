"""Whether the launches of the JAX that is installed can be seen, asked without a job."""

from __future__ import annotations

import sys

from jaxmpi_lint.runtime.xla.joining import OLDEST


def unseen() -> str:
    """Why launches of the imported JAX are not seen; "" if they are, shown by launches of a small program."""
    jax = sys.modules["jax"]
    if getattr(jax, "__version_info__", (0,)) < OLDEST:
        return f"jax {OLDEST[0]}.{OLDEST[1]} or newer is needed"
    try:
        from jaxmpi_lint.runtime.xla import hook, proof
    except ImportError:
        return "the native core is missing"
    return hook.install() or proof.problem(hook.HOOKS)
