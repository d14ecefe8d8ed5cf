"""Memory that pending operations use: what the program must not read or write meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import exposures, extents, indexing
from jaxmpi_lint.interpreter.arrays import Array
from jaxmpi_lint.interpreter.events import Access, Event
from jaxmpi_lint.interpreter.exposures import Exposure
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.used_elements import overlap
from jaxmpi_lint.interpreter.values import Library, Method, Value
from jaxmpi_lint.interpreter.verdicts import Fault, Kind

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

WHOLE: Any = slice(None)
READERS = frozenset(
    """all any argmax argmin argsort astype conj copy cumprod cumsum dot item max mean min nonzero prod repeat round
    searchsorted std sum take tobytes tolist trace var""".split()
)
"""Methods of arrays that read all elements."""

WRITERS = frozenset({"fill", "sort", "partition", "put", "itemset"})
"""Methods of arrays that write elements."""

BUILTINS = frozenset({"builtins.sum", "builtins.max", "builtins.min", "builtins.sorted", "builtins.float"})
VIEWS = frozenset(
    """array2string array_split array_str array_repr asanyarray asarray ascontiguousarray asfortranarray atleast_1d
    atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to can_cast copyto diag diagonal dsplit empty
    empty_like expand_dims flip fliplr flipud frombuffer full full_like hsplit imag iscomplexobj isrealobj isscalar
    issubdtype iterable lib matrix_transpose may_share_memory moveaxis ndenumerate ndim nditer ones ones_like
    permute_dims printoptions put put_along_axis putmask ravel real require reshape result_type rollaxis rot90 save
    set_printoptions shape shares_memory size split squeeze swapaxes testing transpose vsplit zeros zeros_like
    random dtype ndindex fill_diagonal place""".split()
)
"""Functions of numpy that do not read all elements of all arguments."""


@dataclass(slots=True, eq=False)
class Use:
    """Memory in use by an operation; ``writes`` if the operation changes it, so that it must not even be read.

    ``target`` is the rank of a window whose epoch it belongs to.
    """

    array: Array
    writes: bool
    event: Event
    kind: Kind = Kind.REQUEST_BUFFER
    target: int | None = None
    is_told: bool = False

    def end(self) -> None:
        """The operation is over, and the program knows it."""
        if self in self.array.store.uses:
            self.array.store.uses.remove(self)


def begin(rank: Rank, array: Array, writes: bool, event: Event, kind: Kind = Kind.REQUEST_BUFFER) -> Use:
    """Note that an operation uses memory from now on; memory that another one uses already is a fault."""
    use = Use(array, writes, event, kind)
    if array.is_jax or array.is_guessed or array.size == 0:
        return use
    if kind is Kind.REQUEST_BUFFER:
        for other in array.store.uses:
            if (writes or other.writes) and other.kind is kind and overlap(array, other.array):
                _tell(rank, other, f"`{event.label}`", event.place)
    array.store.uses.append(use)
    return use


def read(rank: Rank, values: Iterable[Value]) -> None:
    """The program reads all elements of arrays."""
    for value in values:
        if isinstance(value, Array) and value.store.uses:
            _check(rank, value, "read", lambda use: use.writes)


def read_item(rank: Rank, array: Array, index: Value) -> None:
    """The program reads an element."""
    if array.store.uses:
        _check(rank, _part(array, index), "read", lambda use: use.writes)


def write(rank: Rank, array: Array, index: Value = WHOLE) -> None:
    """The program writes elements."""
    if array.store.uses:
        _check(rank, _part(array, index), "written", lambda use: True)


def _part(array: Array, index: Value) -> Array | None:
    """The cells that an index selects as a view; None if they are not known."""
    if index is WHOLE:
        return array
    if array.shape is None or (indexing.is_view(index) and indexing.full(index, array.shape) is None):
        is_head = array.begins_store and indexing.begins(index)
        return Array(array.store, None, array.dtype, selection=index, is_head=True) if is_head else None
    if array.indices is not None:
        chosen = extents.axes(array.shape, index)
        if chosen is None:
            return None
        return Array(array.store, None, array.dtype, _cells(array.indices, array.shape, chosen))
    if array.span is None or array.layout != "C":
        return None
    span = extents.span(array.span[0], array.shape, index)
    return None if span is None else Array(array.store, None, array.dtype, None, span)


def _cells(indices: list[int], shape: tuple[int, ...], chosen: list[range]) -> list[int]:
    offsets = [0]
    for length, positions in zip(shape, chosen, strict=True):
        offsets = [offset * length + position for offset in offsets for position in positions]
    return [indices[offset] for offset in offsets]


def _check(rank: Rank, part: Array | None, how: str, counts: Any) -> None:
    if part is None or part.is_guessed or part.size == 0 or (part.span is not None and part.span[0] >= part.span[1]):
        return
    for use in list(part.store.uses):
        if isinstance(use, Exposure):
            exposures.use(rank, use, how, part, rank.place(_span_now(rank)))
        elif not use.is_told and counts(use) and overlap(part, use.array):
            _tell(rank, use, how, rank.place(_span_now(rank)))


def _span_now(rank: Rank) -> Any:
    """The step that is being executed."""
    frame = rank.frames[-1]
    return frame.span or frame.function.blocks[frame.block].terminator.span


def _tell(rank: Rank, use: Use, how: str, place: Any) -> None:
    use.is_told = True
    what = how if how in ("read", "written") else f"used by {how}"
    where = f"line {place.row}"
    if use.kind is Kind.EPOCH:
        detail = f"the buffer of this {use.event.label} is {what} in {where}, before the epoch ends"
    else:
        detail = f"{what} in {where}"
    rank.world.report(Fault(use.kind, use.event, rank.number, None, Access(place, what), detail))


def check_call(rank: Rank, function: Value, arguments: Arguments) -> None:
    """What a call of a library reads and writes."""
    if isinstance(function, Method) and isinstance(function.receiver, Array):
        if function.name in READERS:
            read(rank, (function.receiver,))
        elif function.name in WRITERS:
            write(rank, function.receiver)
    elif isinstance(function, Library):
        _check_function(rank, function.dotted, arguments)


def _check_function(rank: Rank, dotted: str, arguments: Arguments) -> None:
    parts = dotted.split(".")
    if dotted in BUILTINS or (parts[0] == "numpy" and len(parts) > 1 and not VIEWS & set(parts[1:])):
        for value in arguments.values:
            read(rank, value if isinstance(value, (list, tuple)) else (value,))
        target = arguments.keywords.get("out")
        if isinstance(target, Array):
            write(rank, target)
    elif dotted == "numpy.copyto" and arguments.values:
        if isinstance(arguments.values[0], Array):
            write(rank, arguments.values[0])
        read(rank, arguments.values[1:2])
