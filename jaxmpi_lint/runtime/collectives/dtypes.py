"""Element types: the MPI datatype of each, and types that are not supported."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

# In the order of `Type` in tables.hpp. MPI has no 16-bit floating-point types: they are transferred as 16-bit integers
# and reduced in float32. 8-bit floating-point types are transferred as bytes and cannot be reduced.
TYPES = {
    "bool": MPI.C_BOOL,
    "int8": MPI.INT8_T,
    "int16": MPI.INT16_T,
    "int32": MPI.INT32_T,
    "int64": MPI.INT64_T,
    "uint8": MPI.UINT8_T,
    "uint16": MPI.UINT16_T,
    "uint32": MPI.UINT32_T,
    "uint64": MPI.UINT64_T,
    "float16": MPI.UINT16_T,
    "bfloat16": MPI.UINT16_T,
    "float32": MPI.FLOAT,
    "float64": MPI.DOUBLE,
    "complex64": MPI.C_FLOAT_COMPLEX,
    "complex128": MPI.C_DOUBLE_COMPLEX,
    "float8": MPI.BYTE,
}


def movable(x: jax.typing.ArrayLike, operation: str) -> jax.Array:
    """``x`` as an array; TypeError if it is not an array or scalar, or has an unsupported dtype."""
    if not isinstance(x, jax.Array | np.ndarray | np.generic | bool | int | float | complex):
        raise TypeError(f"{operation} takes an array or a scalar, not {type(x).__name__}")
    array = x if isinstance(x, jax.Array) else jnp.asarray(x)
    if jnp.issubdtype(array.dtype, jax.dtypes.extended):
        raise TypeError(f"{operation} does not support {array.dtype}; for random keys use jax.random.key_data")
    if array.dtype.name not in TYPES and not _is_float8(array.dtype):
        raise TypeError(f"{operation} does not support {array.dtype}")
    return array


def _is_float8(dtype: np.dtype[np.generic]) -> bool:
    return dtype.itemsize == 1 and bool(jnp.issubdtype(dtype, jnp.floating)) and "float8" in dtype.name
