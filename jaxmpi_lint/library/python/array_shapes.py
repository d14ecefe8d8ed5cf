"""Functions of numpy and ``jax.numpy`` that return the shape of an array, or determine the shape of their result.

Facts from numpy's documentation ("Array creation routines", "Array manipulation routines").
"""

from __future__ import annotations

SHAPE = "numpy.shape"
"""Returns the lengths of all axes."""

SHAPES = frozenset({SHAPE, ".shape"})
"""The function and the attribute that return it; names of attributes and methods start with a dot."""

LENGTHS = frozenset({"numpy.size", ".size", ".nbytes", ".keys"})
"""Functions, attributes and methods that return the size of an object."""

SAME_OF_PARTS = frozenset(
    {".ndim", ".dtype", ".itemsize"}
    | {f"numpy.{name}" for name in ("iscomplexobj", "isrealobj", "isscalar", "issubdtype", "ndim", "result_type")}
)
"""Properties that all parts of a distributed array share, regardless of their length."""

UNFILLED = frozenset({"numpy.empty", "numpy.empty_like"})
"""Constructors of arrays without initialised data."""

ARRAYS_BY_ROWS = UNFILLED | {"numpy.full", "numpy.ones", "numpy.zeros"}
"""Constructors of arrays of which the rows follow each other in memory, unless `order` is given."""

ARRAY_PACKAGES = ("jax.numpy", "numpy")
"""Packages with these functions under the same names."""

KEEPS_SHAPE = frozenset({"array", "asarray", "ascontiguousarray", "copy", "stack", "vstack"})
"""Functions whose result has the shape of their first argument."""

SHAPE_KEEPING_METHODS = frozenset({"astype", "copy"})
"""Methods of arrays whose result has the shape of the array."""

MAKES_SHAPE = frozenset({"empty", "full", "ones", "zeros"})
"""Constructors whose first argument is the shape."""

MAXIMA = frozenset({"max", "builtins.max", "numpy.amax", "numpy.max"})
"""Functions that return the largest element."""

MAKERS_OF_ARRAYS = frozenset(
    f"numpy.{name}"
    for name in """arange argsort argwhere array asarray ascontiguousarray concatenate empty fromiter flatnonzero hstack
    intersect1d isin linspace ones repeat setdiff1d sort stack unique zeros""".split()
)
"""Functions whose result is an array of at least one axis; positions, if it is used as an index."""

MAKERS_OF_SEVERAL_ARRAYS = frozenset({"numpy.where", "numpy.nonzero"})
"""Functions whose result is a tuple of such arrays, if they have one argument."""

ARRAY_ANNOTATIONS = frozenset({"ndarray", "NDArray"})
"""Annotations of arrays, without their modules."""
