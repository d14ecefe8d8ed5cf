"""Functions that sum, count or split elements, and those that leave a number as it is."""

from __future__ import annotations

SUMS = frozenset({"sum", "builtins.sum", "numpy.sum", "numpy.nansum", "jax.numpy.sum", "math.fsum"})
"""Sums of the elements of the first argument."""

COUNTS = frozenset({"len", "builtins.len", "numpy.size"})
"""Numbers of elements of the first argument."""

CONVERSIONS = frozenset(
    {
        "float", "int", "builtins.float", "builtins.int", "numpy.float64", "numpy.float32", "numpy.array",
        "numpy.asarray",
    }
)  # fmt: skip
"""Functions that return the number, or the list of one number, that they get."""

SPLITS = frozenset({"numpy.array_split", "numpy.split", "numpy.vsplit"})
"""Functions that return parts of an array, cut along its first axis."""

PRODUCTS = frozenset({"numpy.dot", "numpy.vdot", "numpy.inner", "jax.numpy.dot", "jax.numpy.vdot", "jax.numpy.inner"})
"""Scalar products of the first two arguments."""

COPIES = frozenset({"numpy.array", "numpy.asarray", "numpy.copy", "numpy.zeros_like", "numpy.empty_like"})
"""Functions whose result has the shape of the first argument."""
