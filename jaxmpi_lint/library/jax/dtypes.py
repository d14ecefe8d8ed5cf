"""Dtypes of JAX arrays: those that numpy lacks, and the result dtypes of ``jax.numpy`` functions.

Facts from "Type promotion semantics" and the pages of ``jax.numpy``, ``jax.random`` and ``ml_dtypes``.
"""

from __future__ import annotations

NARROW = frozenset(
    {
        "bfloat16", "float16", "float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
        "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "int2", "int4", "uint2", "uint4",
    }
)  # fmt: skip
"""Dtypes of JAX without a corresponding basic type of C."""

DTYPE_PACKAGES = ("jax.numpy", "ml_dtypes")
"""Packages whose attributes are dtypes under the names of numpy, or of `NARROW`."""

NUMPY_PACKAGE = "jax.numpy"
"""The package with the functions of numpy."""

RANDOM_PACKAGE = "jax.random"
"""The package with the functions that create keys and random arrays."""

RANDOM_KEY = "jax.random.key"
"""Creates a key, whose dtype is opaque."""

CONVERT_ELEMENT_TYPE = "jax.lax.convert_element_type"
"""Converts an array to the dtype given second, ``new_dtype``."""

KEEPS_INEXACT_DTYPE = frozenset(
    {
        "abs", "amax", "amin", "average", "clip", "cos", "cumsum", "dot", "exp", "log", "matmul", "max", "mean", "min",
        "negative", "prod", "sin", "sqrt", "square", "std", "sum", "tanh", "var",
    }
)  # fmt: skip
"""Functions whose result has the dtype of their arguments if that is floating or complex."""

REAL_RESULT = frozenset({"abs", "std", "var"})
"""Functions whose result is real for all arguments."""

PROMOTES = frozenset({"average", "clip", "dot", "matmul"})
"""Functions whose result has the widest dtype of their arguments."""

RESULT_DTYPE_PARAMETERS = frozenset({"dtype", "preferred_element_type", "weights"})
"""Parameters that give a result a dtype independent of the first argument."""

BEFORE_DTYPE = 2
"""The number of arguments of a reduction before its dtype."""

KEEPS_DTYPE = frozenset(
    {
        "atleast_1d", "broadcast_to", "diag", "expand_dims", "flip", "moveaxis", "pad", "ravel", "repeat", "reshape",
        "roll", "sort", "squeeze", "swapaxes", "tile", "transpose", "tril", "triu",
    }
)  # fmt: skip
"""Functions whose result has the dtype of their first argument."""

BOOLEAN_RESULT = frozenset(
    {
        "all", "allclose", "any", "array_equal", "equal", "greater", "greater_equal", "isclose", "isfinite", "isinf",
        "isnan", "less", "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "not_equal",
    }
)  # fmt: skip
"""Functions whose result is boolean."""

SAMPLES_WITH_DTYPE = frozenset({"normal", "truncated_normal", "uniform"})
"""Functions of ``jax.random`` with a dtype as third argument, single precision by default."""

SAME_DTYPE = frozenset({"jax.block_until_ready", "jax.device_put", "jax.lax.stop_gradient", "jax.random.split"})
"""Functions of other packages whose result has the dtype of their first argument."""

INDEXED_UPDATES = frozenset({"add", "divide", "max", "min", "multiply", "mul", "set", "subtract"})
"""Methods of ``array.at[index]``: their result has the dtype of the array."""
