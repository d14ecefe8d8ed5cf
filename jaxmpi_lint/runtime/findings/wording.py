"""Text of calls, ranks and communicators in reports, in the terms of the user's program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Communicator, Record, Signature, Site, Snapshot, Thread, Wait

_DTYPES = {"signed": "int", "unsigned": "uint", "float": "float", "complex": "complex"}
_KEPT_RANGES = 8
_FIRST_RANGES = 3  # shown of more ranges than that
OPERATIONS = ("mpi4jax.", "collectives.")

RECEIVES = "for a message from"
SENDS = "for its message to be received by"
ENTERS = "in a collective for"


def plural(count: int, noun: str) -> str:
    """``1 rank``, ``2 ranks``, ``2 launches``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith(('s', 'ch')) else 's'}"


def ranks(numbers: Iterable[int]) -> str:
    """``rank 3``, ``ranks 0, 1 and 5``, ``ranks 0-62 and 64``; many: ``11 ranks (0, 3, 6, ..., 30)``."""
    ordered = sorted(set(numbers))
    if not ordered:
        return "no rank"
    if len(ordered) == 1:
        return f"rank {ordered[0]}"
    parts = _ranges(ordered)
    if len(parts) > _KEPT_RANGES:
        return f"{len(ordered)} ranks ({', '.join(parts[:_FIRST_RANGES])}, ..., {parts[-1]})"
    return "ranks " + joined(parts)


def verb(numbers: Collection[int], one: str, many: str) -> str:
    """The singular or plural form of a verb whose subject is these ranks."""
    return one if len(set(numbers)) == 1 else many


def _ranges(ordered: Sequence[int]) -> list[str]:
    runs: list[list[int]] = []
    for number in ordered:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts: list[str] = []
    for first, last in runs:
        if last - first < 2:
            parts += [str(number) for number in range(first, last + 1)]
        else:
            parts.append(f"{first}-{last}")
    return parts


def joined(parts: Sequence[str]) -> str:
    """``1, 2 and 3``."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def function(name: str) -> str:
    """``Allreduce`` of ``MPI_Allreduce_c``."""
    return name.removeprefix("MPI_").removesuffix("_c")


def spelled(name: str, site: Site | None) -> str:
    """A function of MPI as the program's line spells it: mpi4py's ``recv`` calls Mprobe and Mrecv."""
    own = function(name)
    wanted = "recv" if own in ("Mprobe", "Mrecv") else own.lower()
    text = next((line.text for line in excerpt.lines(site, before=0)), "")
    return wanted if f".{wanted}(" in text and f".{own}(" not in text else own


def method(label: str) -> str:
    """``allreduce`` of ``Intracomm.allreduce``; an operation on arrays, ``mpi4jax.allreduce``, as it is."""
    return label if label.startswith(OPERATIONS) else label.rpartition(".")[2]


def form(signature: Signature, label: str = "") -> str:
    """The name of a collective as it was called: ``Allreduce``, ``Iallreduce``, ``Allreduce_init``, ``allreduce``."""
    name = function(signature.function)
    if signature.pickled:
        return method(label) or name.lower()
    if label.startswith(OPERATIONS):
        return label
    if signature.persistent:
        return f"{name}_init"
    return f"I{name[:1].lower()}{name[1:]}" if signature.non_blocking else name


def dtype(signature: Signature) -> str:
    """The type of the elements: ``float64``, ``byte``, ``a derived type``."""
    if signature.base in _DTYPES:
        return f"{_DTYPES[signature.base]}{signature.width * 8}"
    return {"mixed": "mixed types", "nothing": "nothing"}.get(signature.base, signature.base)


def amount(signature: Signature) -> str:
    """``4 x float64``, ``24 bytes of mixed types``."""
    if signature.base == "mixed":
        return f"{plural(signature.bytes, 'byte')} of mixed types"
    return f"{signature.elements} x {dtype(signature)}"


def reduction(signature: Signature) -> str:
    """``MAX`` of ``MPI_MAX``; a user-defined operator has no name."""
    name = signature.reduction or ""
    return "a user-defined operator" if name == "user" else function(name)


def collective(signature: Signature, label: str = "") -> str:
    """A collective with its arguments: ``Reduce(root=0, op=SUM), 4 x float64``."""
    arguments = []
    if signature.root is not None:
        arguments.append(f"root={signature.root}")
    if signature.reduction:
        arguments.append(f"op={reduction(signature).replace('a user-defined operator', 'user-defined')}")
    if signature.in_place:
        arguments.append("IN_PLACE")
    text = f"{form(signature, label)}({', '.join(arguments)})"
    if signature.count_known and not signature.pickled and signature.base != "nothing":
        text += f", {amount(signature)}"
    return text


def record(entry: Record) -> str:
    """A call of the history."""
    if entry.signature.function and entry.peer is None:
        return collective(entry.signature, entry.label)
    return spelled(entry.function, entry.site)


def communicator(entry: Communicator | None) -> str:
    """The name of a communicator, or the call that created it."""
    if entry is None:
        return "an unknown communicator"
    site = next((lane.site for lane in entry.lanes if lane.site is not None), None)
    if site is not None and (not entry.name or entry.name.startswith("MPI_")):
        made = function(entry.name) or entry.kind
        return f"{made} of {excerpt.line(site)}"
    return entry.name or "an unnamed communicator"


def place(snapshot: Snapshot, communicator_index: int | None, rank: int) -> int:
    """The rank in a communicator of a world rank; the world rank itself if the communicator is not known."""
    for entry in snapshot.communicators:
        if entry.index == communicator_index:
            likely = entry.lanes[rank : rank + 1]  # of the world communicator
            return next((lane.rank_in for lane in chain(likely, entry.lanes) if lane.rank == rank), rank)
    return rank


def wait(snapshot: Snapshot, thread: Thread, what: Wait) -> str:
    """The call that a thread is blocked in, as it concerns one of its waits."""
    name = method(thread.label) if thread.label else spelled(thread.function, thread.site)
    known = next((entry for entry in snapshot.communicators if entry.index == what.communicator), None)
    if what.kind == "collective":
        entered = thread.signature
        on = f" on {communicator(known)}" if known is not None and known.name != "MPI_COMM_WORLD" else ""
        mine = entered is not None and (thread.communicator, thread.ordinal) == (what.communicator, what.ordinal)
        if mine and entered is not None:
            return f"{collective(entered, thread.label)}{on}"
        return f"{name}() for collective {what.ordinal + 1}{on}"
    receives = what.kind in ("receive", "probe")
    end, of_tag = ("source" if receives else "dest"), "tag"
    if name.lower().startswith("sendrecv"):
        of_tag = "recvtag" if receives else "sendtag"
    peer = "ANY_SOURCE" if what.any_source or what.peer is None else place(snapshot, what.communicator, what.peer)
    tag = "ANY_TAG" if what.tag is None else what.tag
    where = f", {communicator(known)}" if known is not None and known.name != "MPI_COMM_WORLD" else ""
    arguments = f"({end}={peer}, {of_tag}={tag}{where})"
    return f"{name}() for a {'receive' if receives else 'send'} {arguments}" if _of_requests(name) else name + arguments


def _of_requests(name: str) -> bool:
    """Whether a call waits for requests: the arguments of a message are those of the call that made the request."""
    return name.lower().startswith(("wait", "test"))


def waits_for(what: Wait) -> str:
    """The words between a rank that waits and the ranks that it waits for."""
    return {
        "receive": RECEIVES,
        "probe": RECEIVES,
        "synchronous_send": SENDS,
        "standard_send": SENDS,
        "collective": ENTERS,
    }.get(what.kind, "for")


def calls(thread: Thread) -> str:
    """The call that a thread is in, in short form."""
    if thread.signature is not None and thread.activity in ("blocked", "held"):
        return collective(thread.signature, thread.label)
    name = method(thread.label) if thread.label else function(thread.function)
    return f"{name}()" if name else ""
