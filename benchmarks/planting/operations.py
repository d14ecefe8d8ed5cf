"""The calls that communicate: their methods, and the positions of their arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping

import libcst as cst

ROOTED: Mapping[str, int] = {
    "bcast": 1,
    "Bcast": 1,
    "reduce": 2,
    "Reduce": 3,
    "gather": 1,
    "Gather": 2,
    "Gatherv": 2,
    "scatter": 1,
    "Scatter": 2,
    "Scatterv": 2,
}
"""The collectives with a root, and the position of it."""
REDUCTIONS: Mapping[str, int] = {"reduce": 1, "allreduce": 1, "Reduce": 2, "Allreduce": 2}
"""The reductions, and the position of the operator."""
COLLECTIVES = frozenset(
    (*ROOTED, *REDUCTIONS, "allgather", "Allgather", "Allgatherv", "alltoall", "Alltoall", "Alltoallv")
) | {"Barrier", "barrier"}
BUFFERS: Mapping[str, int] = {"Bcast": 1, "Allreduce": 2, "Reduce": 2}
"""The collectives whose buffers are cut, and how many leading arguments are buffers."""
SENDS = frozenset(("send", "Send", "isend", "Isend", "ssend", "Ssend"))
RECEIVES = frozenset(("recv", "Recv", "irecv", "Irecv"))
REQUESTS = frozenset(("isend", "Isend", "irecv", "Irecv"))
UNBLOCKED: Mapping[str, str] = {"send": "isend", "Send": "Isend", "Recv": "Irecv"}
TAG = 2
OPERATIONS = COLLECTIVES | SENDS | RECEIVES
_COMMUNICATOR = re.compile(r"comm|world|communicator", re.IGNORECASE)
_PLAIN = re.compile(r"[\w.]+(\(\))?")


def is_communicator(text: str) -> bool:
    """Whether an expression is likely a communicator of several processes: by its text alone."""
    return bool(_COMMUNICATOR.search(text) and _PLAIN.fullmatch(text)) and "COMM_SELF" not in text


def argument(call: cst.Call, keyword: str, position: int) -> cst.Arg | None:
    """The argument of a keyword or of a position, None if the call has none."""
    for place, one in enumerate(call.args):
        named = one.keyword.value if one.keyword is not None else None
        if named == keyword or (named is None and place == position):
            return one
    return None


def with_argument(call: cst.Call, keyword: str, position: int, value: str) -> cst.Call:
    """The call with a different value of an argument, which is appended as a keyword if the call has none."""
    expression = cst.parse_expression(value)
    old = argument(call, keyword, position)
    if old is not None:
        return call.with_changes(args=[one.with_changes(value=expression) if one is old else one for one in call.args])
    given = cst.Arg(
        value=expression,
        keyword=cst.Name(keyword),
        equal=cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace("")),
    )
    kept = [one.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))) for one in call.args]
    return call.with_changes(args=[*kept, given])


def has_stars(call: cst.Call) -> bool:
    """Whether arguments are unpacked, so that their positions are unknown."""
    return any(one.star for one in call.args)
