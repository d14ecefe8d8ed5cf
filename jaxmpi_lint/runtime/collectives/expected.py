"""The arguments that an operation will pass to MPI; the sanitizer compares them between ranks beforehand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from jax.core import ShapedArray

from jaxmpi_lint.runtime.collectives import dtypes, native

_REDUCTIONS = ("allreduce", "reduce", "scan")
_ONE_BUFFER = (*_REDUCTIONS, "bcast")
_MESSAGES = ("send", "recv", "sendrecv")


def arguments(operation: str, arrays: Sequence[ShapedArray], static: Mapping[str, Any]) -> dict[str, int]:
    """The arguments of a collective by MPI's parameter names, handles as numbers; empty for a message."""
    if operation in _MESSAGES:
        return {}
    found = {"comm": static["communicator"].handle}
    if "operator" in static:
        found["op"] = native.handle(static["operator"].op)
    if "root" in static:
        found["root"] = static["root"]
    if not arrays:
        return found
    datatype = native.handle(dtypes.TYPES[_moved_as(operation, arrays[0].dtype.name)])
    count = _count(operation, math.prod(arrays[0].shape), static)
    if operation in _ONE_BUFFER:
        return found | {"count": count, "datatype": datatype}
    return found | {"sendcount": count, "sendtype": datatype, "recvcount": count, "recvtype": datatype}


def _moved_as(operation: str, dtype: str) -> str:
    if operation in _REDUCTIONS and dtype in ("float16", "bfloat16"):
        return "float32"
    return "float8" if "float8" in dtype else dtype


def _count(operation: str, elements: int, static: Mapping[str, Any]) -> int:
    """The elements for one rank: the arrays of alltoall and of a scatter's root have those for all ranks."""
    communicator = static["communicator"]
    for_all = operation == "alltoall" or (operation == "scatter" and communicator.rank == static["root"])
    return elements // communicator.size if for_all else elements
