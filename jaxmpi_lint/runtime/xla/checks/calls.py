"""The arguments of one process to a multihost function, and how those of two processes differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site

MOST_LEAVES = 100
"""Arrays of a tree that are compared one by one; further ones only by a digest."""

Leaf = tuple[str, str]
"""The path of an array in its tree, "['w']", and its type, "float32[4,8]"."""


@dataclass(frozen=True, slots=True)
class Said:
    """One call of one process."""

    process: int
    number: int  # index of the call
    file: str
    line: int
    function: str
    leaves: tuple[Leaf, ...]
    count: int
    digest: str  # of all leaves
    source: bool = False  # of a broadcast
    local: str = ""  # type of the local data, if `leaves` describes the global array
    inside: str = ""  # the function that the program calls, if a different one: "device_put"

    @property
    def site(self) -> Site:
        """The line of the call."""
        return Site(self.file, self.line, self.function)

    def written(self) -> str:
        """The call as text."""
        return json.dumps(asdict(self))


def read(text: str) -> Said:
    """Parse the text of `Said.written`; ValueError if it is malformed."""
    known = json.loads(text)
    known["leaves"] = tuple((path, kind) for path, kind in known["leaves"])
    return Said(**known)


def said(process: int, number: int, site: Site, leaves: Iterable[Leaf], source: bool = False, local: str = "",
         inside: str = "") -> Said:  # fmt: skip
    """The description of one call."""
    every = tuple(leaves)
    digest = hashlib.blake2b(repr(every).encode(), digest_size=8).hexdigest()
    first = every[:MOST_LEAVES]
    return Said(process, number, site.file, site.line, site.function, first, len(every), digest, source, local, inside)


def leaves(tree: Any) -> list[Leaf]:
    """The arrays of a tree with the dtypes that JAX gives them, which depend on its settings."""
    import jax

    return [(jax.tree_util.keystr(path), kind(leaf)) for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]]


def kind(leaf: Any) -> str:
    """``float32[4,8]``."""
    import jax
    import numpy

    array = leaf if hasattr(leaf, "shape") and hasattr(leaf, "dtype") else numpy.asarray(leaf)
    element = array.dtype
    if getattr(element, "kind", "O") in "biufcV":  # else a random key, or a type that JAX rejects
        element = jax.dtypes.canonicalize_dtype(element)
    return f"{element}[{','.join(map(str, array.shape))}]"


def disagreement(function: str, one: Said, other: Said) -> Finding | None:
    """The finding if two processes pass mismatched arguments to a multihost function."""
    if one.source and other.source:
        return _finding(
            function, one, other, "first source", "second source",
            f"{_ranks(one, other)} are both the source of one {function}: their values are summed",
            "pass `is_source=True` on exactly one process.",
        )  # fmt: skip
    if one.digest == other.digest:
        return None
    if one.count != other.count:
        amounts = f"{wording.plural(one.count, 'array')} on {_rank(one)}, {other.count} on {_rank(other)}"
        return _finding(function, one, other, "", "different number of arrays",
                        f"{function} needs the same arrays from every process: {amounts}")  # fmt: skip
    different = [(a, b) for a, b in zip(one.leaves, other.leaves, strict=True) if a[1] != b[1]]
    if different:
        (path, mine), (_, theirs) = different[0]
        name = f"{path} is " if path else ""
        values = f"{name}{mine} on {_rank(one)}, {theirs} on {_rank(other)}"
        return _finding(function, one, other, "", "differs",
                        f"{function} needs the same shapes and dtypes from every process: {values}",
                        note=_consequence(mine, theirs))  # fmt: skip
    named = next(((a[0], b[0]) for a, b in zip(one.leaves, other.leaves, strict=True) if a[0] != b[0]), None)
    if named is None:
        return _finding(function, one, other, "", "differs",
                        f"the arrays passed to {function} differ between {_rank(one)} and {_rank(other)}, after the "
                        f"first {MOST_LEAVES}")  # fmt: skip
    return _finding(
        function, one, other, "", "different names",
        f"the trees passed to {function} have different names: {named[0] or 'no name'} on {_rank(one)}, "
        f"{named[1] or 'no name'} on {_rank(other)}",
        note="arrays are matched by their order; each rank keeps the names of its tree", error=False,
    )  # fmt: skip


def other_array(function: str, one: Said, other: Said) -> Finding | None:
    """The finding if two processes make one global array with different shapes or dtypes."""
    different = [(a, b) for a, b in zip(one.leaves, other.leaves, strict=False) if a[1] != b[1]]
    if one.digest == other.digest or not different:
        return None
    (_, mine), (_, theirs) = different[0]
    remedy = "give every process the same amount of data (pad it, or drop the rest), or pass `global_shape`."
    notes = ["programs on such an array read out of bounds, abort, or silently give a wrong result"]
    notes.insert(0, f"the global shape is inferred from the local data: {one.local}, {other.local}")
    return _finding(
        function, one, other, f"makes {mine}", f"makes {theirs}",
        f"{function} makes {mine} on {_rank(one)} and {theirs} on {_rank(other)}",
        remedy, "; ".join(notes), error=False,
    )  # fmt: skip


def _finding(function: str, one: Said, other: Said, first: str, second: str, message: str, remedy: str = "",
             note: str = "", error: bool = True) -> Finding:  # fmt: skip
    one, other = sorted((one, other), key=lambda side: side.process)
    return Finding(
        "JS505",
        message,
        (one.process, other.process),
        tuple(Side((side.process,), _call(function, side), side.site, remark, odd)
              for side, remark, odd in ((one, first, False), (other, second, True))),
        notes=(note,) if note else (),
        remedy=remedy,
        error=error,
    )  # fmt: skip


def _call(function: str, side: Said) -> str:
    shown = ", ".join(kind for _, kind in side.leaves[:4]) + (", ..." if side.count > 4 else "")
    within = f" inside {side.inside}" if side.inside else ""
    return f"{function}{within}, {side.local or shown or 'nothing'}"


def _consequence(mine: str, theirs: str) -> str:
    if mine.partition("[")[2] != theirs.partition("[")[2]:
        return "with different sizes the processes abort, hang, or read out of bounds"
    return "if the sizes fit, the bytes of one dtype are silently read as the other"


def _rank(side: Said) -> str:
    return f"rank {side.process}"


def _ranks(one: Said, other: Said) -> str:
    return wording.ranks((one.process, other.process))
