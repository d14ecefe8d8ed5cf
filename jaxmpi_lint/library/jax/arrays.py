"""Arrays of JAX: what copies them to the host, what reads this process's part, and what computes on all parts.

Facts from the page of ``jax.Array`` and "Multi-process programming" in JAX's documentation.
"""

from __future__ import annotations

LOCAL_ATTRIBUTES = frozenset(
    {
        "addressable_data", "addressable_shards", "device_buffers", "dtype", "is_fully_addressable", "item", "ndim",
        "shape", "sharding", "size", "tolist",
    }
)  # fmt: skip
"""Attributes and methods of a global array that concern this process alone, or are Python values."""

COPIES_TO_HOST = frozenset(
    {
        "bool", "complex", "flax.jax_utils.unreplicate", "float", "int", "jax.device_get", "len", "numpy.array",
        "numpy.asarray", "print", "repr", "str",
    }
)  # fmt: skip
"""Functions whose result is no array of JAX: they copy to the host."""

REDUCTION_METHODS = frozenset({"all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "std", "sum", "var"})
"""Methods that reduce an array over axes; on a sharded one they communicate between its devices."""

REDUCTIONS = REDUCTION_METHODS | {
    "amax",
    "amin",
    "average",
    "count_nonzero",
    "linalg.norm",
    "median",
    "nanmean",
    "nansum",
}
"""Functions of ``jax.numpy`` that do so."""

ELEMENTWISE_FUNCTIONS = frozenset({"abs", "exp", "isfinite", "isinf", "isnan", "log", "sqrt", "square", "tanh"})
"""Functions of ``jax.numpy`` whose result is sharded like their argument."""

SYNCHRONISING = frozenset(
    {
        "jax.block_until_ready", "jax.effects_barrier", "jax.device_get", "numpy.asarray", "numpy.array", "numpy.save",
        "float", "int", "bool", "print", "str", "repr", "complex",
    }
)  # fmt: skip
"""Functions that wait until what they are given has been computed."""

SYNCHRONISING_METHODS = frozenset({"block_until_ready", "effects_barrier", "item", "tolist", "device_get"})
"""Methods of arrays, and functions by their last name, that do so."""
