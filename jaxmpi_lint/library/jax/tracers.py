"""Tracing in JAX as visible to code: classes and tests of tracers, static values, staged functions.

Facts from JAX's documentation ("Key concepts: tracing", "Stateful computations", the pages of the transforms) and from
``jax.core`` of the releases 0.4 to 0.10.
"""

from __future__ import annotations

ATTACHING_RULES = frozenset(
    {
        "equinox.filter_custom_jvp",
        "equinox.filter_custom_vjp",
        "flax.linen.custom_vjp",
        "flax.nnx.custom_vjp",
        "haiku.multi_transform",
        "haiku.multi_transform_with_state",
        "haiku.transform",
        "haiku.transform_with_state",
        "jax.custom_batching.custom_vmap",
        "jax.custom_batching.sequential_vmap",
        "jax.custom_gradient",
        "jax.custom_jvp",
        "jax.custom_jvp.defjvp",
        "jax.custom_jvp.defjvps",
        "jax.custom_vjp",
        "jax.custom_vjp.defvjp",
        "jax.named_call",
    }
)
"""Transforms that attach rules to a function: called by plain Python, the function runs unchanged."""

TRACER_CLASSES = frozenset({"Tracer", "DynamicJaxprTracer", "BatchTracer", "JVPTracer"})
"""Classes of ``jax.core`` for which ``isinstance`` is true of a tracer."""

TRACER_TESTS = frozenset({"is_tracer", "is_tracing"})
"""Functions that are true while a function is traced."""

EAGER_TESTS = frozenset({"trace_state_clean", "is_concrete"})
"""Functions that are false while a function is traced."""

STATIC_ATTRIBUTES = frozenset({"aval", "dtype", "itemsize", "nbytes", "ndim", "shape", "sharding", "size"})
"""Attributes of a tracer that are Python values, known while tracing."""

STATIC_CALLS = frozenset(
    {
        "callable", "eval_shape", "hasattr", "id", "isinstance", "issubclass", "keys", "len", "ndim", "repr",
        "result_type", "shape", "size", "str", "structure", "tree_structure", "type",
    }
)  # fmt: skip
"""Functions and methods that return Python values even for tracers."""

STAGED_PACKAGES = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.", "jax.debug.", "jax.image.")
"""Packages whose functions become part of the traced program."""
