"""A check, outside any job, that the launches of the installed JAX are recorded."""

from __future__ import annotations

import sys

from jaxmpi_lint.runtime.xla.capture.joining import OLDEST


def unseen() -> str:
    """Why launches of the imported JAX are not recorded; "" if a small program shows that they are."""
    jax = sys.modules["jax"]
    if getattr(jax, "__version_info__", (0,)) < OLDEST:
        return f"jax {OLDEST[0]}.{OLDEST[1]} or newer is needed"
    try:
        from jaxmpi_lint.runtime.xla.capture import hook, self_test
    except ImportError:
        return "the native core is missing"
    return hook.install() or self_test.problem(hook.HOOKS)
