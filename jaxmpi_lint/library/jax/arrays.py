"""Arrays of JAX: copies to the host, access to local data, and computations on all shards.

Facts from the page of ``jax.Array`` and "Multi-process programming" in JAX's documentation.
"""

from __future__ import annotations

LOCAL_ATTRIBUTES = frozenset(
    {
        "addressable_data", "addressable_shards", "device_buffers", "dtype", "is_fully_addressable", "item", "ndim",
        "shape", "sharding", "size", "tolist",
    }
)  # fmt: skip
"""Attributes and methods of a global array that use local data only, or are Python values."""

COPIES_TO_HOST = frozenset(
    {
        "bool", "complex", "flax.jax_utils.unreplicate", "float", "int", "jax.device_get", "len", "numpy.array",
        "numpy.asarray", "print", "repr", "str",
    }
)  # fmt: skip
"""Functions whose result is not a JAX array: they copy to the host."""

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
"""Functions of ``jax.numpy`` that reduce over axes."""

ELEMENTWISE_FUNCTIONS = frozenset({"abs", "exp", "isfinite", "isinf", "isnan", "log", "sqrt", "square", "tanh"})
"""Functions of ``jax.numpy`` whose result is sharded like their argument."""

SYNCHRONISING = frozenset(
    {
        "jax.block_until_ready", "jax.effects_barrier", "jax.device_get", "numpy.asarray", "numpy.array", "numpy.save",
        "float", "int", "bool", "print", "str", "repr", "complex",
    }
)  # fmt: skip
"""Functions that wait until their arguments have been computed."""

SYNCHRONISING_METHODS = frozenset({"block_until_ready", "effects_barrier", "item", "tolist", "device_get"})
"""Methods of arrays, and functions by their last name, that wait in the same way."""

NEEDING = frozenset({"max", "min", "any", "all", "sorted", "range", "format", "pow"})
"""Builtin functions that compare their arguments or take them for numbers: they wait if these are arrays."""

NEEDING_LIBRARIES = ("numpy.", "math.", "cmath.", "statistics.")
"""Libraries whose functions convert their arguments to numbers or to arrays on the host."""

NEEDING_METHODS = frozenset(
    {"format", "debug", "info", "warning", "error", "critical", "log", "write", "writerow", "add_scalar"}
)
"""Methods and functions, by their last name, that write their arguments."""

DESCRIBING = frozenset(
    {
        "shape", "ndim", "size", "dtype", "nbytes", "itemsize", "sharding", "device", "devices", "result_type", "len",
        "isinstance", "type", "id", "hasattr", "callable",
    }
)  # fmt: skip
"""Fields of an array and functions that are known before its elements have been computed."""
