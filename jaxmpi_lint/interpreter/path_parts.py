"""Paths that are computed at run time, in parts: folders and names, texts and symbols, values of one process.

A path is a tuple of components, each of which is a tuple of texts and of descriptions of other values. Equal paths that
are written in different ways, as with `os.path.join` and with a formatted string, have equal parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import Value
from jaxmpi_lint.library.python.process_values import (
    FILES,
    FOLDERS,
    HOSTS,
    IDENTITIES,
    PORT,
    TEMPORARY,
    Variation,
    is_coarse_format,
    is_coarse_part,
)

Piece = str | Symbol | tuple[object, ...]
Component = tuple[Piece, ...]
Parts = tuple[Component, ...]

_SAME = frozenset(
    "os.path.abspath os.path.realpath os.path.normpath os.path.expanduser os.fspath builtins.str pathlib.Path".split()
)
_JOINED = "os.path.join"
_FOLDER = "os.path.dirname"
_TODAY = "datetime.date.today"
_PLACEHOLDER = re.compile(r"%[-+ 0#]*\d*(?:\.\d+)?[sdifrxge]")
_FIELD = re.compile(r"\{[^{}]*\}")
_WILDCARD = re.compile(r"[*?\[]")


def parts(path: Value) -> Parts:
    """The components of a path."""
    found: list[list[Piece]] = [[]]
    for piece in _pieces(freeze(path)):
        if not isinstance(piece, str):
            found[-1].append(piece)
            continue
        first, *others = piece.split("/")
        found[-1].append(first)
        found += [[other] for other in others]
    components = (_merged(one) for one in found)
    return tuple(one for one in components if one not in ((), (".",)))


def _merged(pieces: list[Piece]) -> Component:
    """The pieces of a component, with neighbouring texts as one."""
    found: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        elif piece != "":
            found.append(piece)
    return tuple(found)


def _pieces(frozen: object) -> list[Piece]:
    match frozen:
        case ("str", str() as text):
            return [text]
        case ("int" | "float" | "bool", number):
            return [str(number)]
        case ("path", inner):
            return _pieces(inner)
        case Symbol():
            return _of_symbol(frozen)
    return [frozen] if isinstance(frozen, tuple) else []


def _of_symbol(symbol: Symbol) -> list[Piece]:
    match symbol.key:
        case (("str", "call"), ("library", name), *operands) if name == _JOINED:
            return _joined([_pieces(operand) for operand in operands if operand != ("dict",)])
        case (("str", "call"), ("library", name), operand, *_) if name in _SAME:
            return _pieces(operand)
        case (("str", "call"), ("library", name), operand, *_) if name == _FOLDER:
            return _folder(_pieces(operand)) or [symbol]
        case (("str", "path part"), operand, ("str", "resolve")):
            return _pieces(operand)
        case (("str", "path part"), operand, ("str", "parent")):
            return _folder(_pieces(operand)) or [symbol]
        case (("str", "operation"), ("str", "+"), left, right):
            return [*_pieces(left), *_pieces(right)]
        case (("str", "text"), ("str", str() as form), operand) if _PLACEHOLDER.search(form):
            operands = list(operand[1:]) if isinstance(operand, tuple) and operand[0] == "tuple" else [operand]
            return _filled(_PLACEHOLDER.split(form), operands) or [symbol]
        case (("str", "text"), *operands):
            return [piece for operand in operands for piece in _pieces(operand)]
        case (("str", "formatted"), ("str", str() as form), *operands):
            return _filled(_FIELD.split(form), operands) or [symbol]
    return [symbol]


def _joined(found: list[list[Piece]]) -> list[Piece]:
    return [piece for number, pieces in enumerate(found) for piece in (["/", *pieces] if number else pieces)]


def _folder(pieces: list[Piece]) -> list[Piece]:
    """The pieces before the last separator; none if the path has no separator."""
    for index in range(len(pieces) - 1, -1, -1):
        piece = pieces[index]
        if isinstance(piece, str) and "/" in piece:
            return [*pieces[:index], piece.rpartition("/")[0]]
    return []


def _filled(texts: list[str], operands: list[object]) -> list[Piece]:
    """Texts with operands between them; nothing if their numbers do not fit."""
    if len(texts) != len(operands) + 1:
        return []
    found: list[Piece] = [texts[0]]
    for operand, text in zip(operands, texts[1:], strict=True):
        found += [*_pieces(operand), text]
    return found


def split_pattern(path: Parts) -> tuple[Parts, Parts]:
    """The folder of a pattern of `glob`, and the fixed beginning of the names in it, if it has one."""
    for index, component in enumerate(path):
        for position, piece in enumerate(component):
            found = _WILDCARD.search(piece) if isinstance(piece, str) else None
            if found is not None and isinstance(piece, str):
                start = _merged([*component[:position], piece[: found.start()]])
                return path[:index], (start,) if start else ()
    return path, ()


def begins(component: Component, start: Component) -> bool:
    """Whether a name begins with some pieces, of which the last one may be a part of a text."""
    *whole, last = start
    if component[: len(whole)] != tuple(whole) or len(component) <= len(whole):
        return False
    other = component[len(whole)]
    return other.startswith(last) if isinstance(last, str) and isinstance(other, str) else other == last


# --- values of one process ---


def alike(path: Parts) -> Parts:
    """The path as it is on every rank: values that each rank makes for itself are not distinguished."""
    known: dict[int, object] = {}
    return tuple(tuple(_alike(piece, known) for piece in component) for component in path)  # type: ignore[misc]


def _alike(frozen: object, known: dict[int, object]) -> object:
    if isinstance(frozen, tuple):
        return tuple(_alike(part, known) for part in frozen)
    if not isinstance(frozen, Symbol) or not frozen.own:
        return frozen
    if id(frozen) not in known:
        made = ("made", frozen.key[1], frozen.key[3:]) if is_made_by_rank(frozen) else None
        known[id(frozen)] = made or ("computed", *(_alike(part, known) for part in frozen.key))
    return known[id(frozen)]


def is_made_by_rank(symbol: Symbol) -> bool:
    """Whether a symbol is a value that one rank has made: `Rank.own`."""
    return symbol.key[0] == ("str", "own") and len(symbol.key) > 4


def made_in(frozen: object) -> Iterator[Symbol]:
    """The values in a description that ranks have made for themselves, each once."""
    seen: set[int] = set()  # symbols share their operands, so that a walk without it may take exponential time
    ahead = [frozen]
    while ahead:
        part = ahead.pop()
        if isinstance(part, tuple):
            ahead += reversed(part)
        elif isinstance(part, Symbol) and part.own and id(part) not in seen:
            seen.add(id(part))
            if is_made_by_rank(part):
                yield part
            else:
                ahead.append(part.key)


def maker(symbol: Symbol) -> int:
    """The rank that has made such a value."""
    number = symbol.key[2]
    assert isinstance(number, tuple)
    return int(number[1])


def origins(path: Parts) -> Iterator[tuple[Symbol, Variation]]:
    """The values in a path that a rank has made for itself, and how often those of two ranks differ."""
    seen: set[int] = set()
    ahead: list[object] = [path]
    while ahead:
        part = ahead.pop()
        if isinstance(part, tuple):
            ahead += reversed(part)
        elif isinstance(part, Symbol) and part.own and id(part) not in seen:
            seen.add(id(part))
            if is_made_by_rank(part):
                variation = _variation(part)
                if variation is not None:
                    yield part, variation
            elif not ("clock" in part.own and _is_coarse(part.key)):
                ahead.append(part.key)


def has_other_values(path: object) -> bool:
    """Whether a path holds a value of one process that is not made as a name, such as a share of data.

    Such a path may differ between ranks on purpose.
    """
    seen: set[int] = set()
    ahead = [path]
    while ahead:
        part = ahead.pop()
        if isinstance(part, tuple):
            ahead += part
        elif isinstance(part, Symbol) and part.own and id(part) not in seen:
            seen.add(id(part))
            if is_made_by_rank(part):
                if _variation(part) is None and "clock" not in part.own:
                    return True
            elif next(made_in(part.key), None) is None:
                return True
            else:
                ahead.append(part.key)
    return False


def _variation(symbol: Symbol) -> Variation | None:
    tag, name = symbol.key[1], symbol.key[4]
    text = str(name[1]) if isinstance(name, tuple) and name[0] == "str" else ""
    is_of_text = tag == ("str", "hash") and text != "id"  # Python salts hashes of texts in each process
    if tag == ("str", "random") or is_of_text or text == PORT or text.startswith(TEMPORARY):
        return Variation.ALWAYS
    if tag == ("str", "clock"):
        return None if text == _TODAY or _is_coarse(symbol.key) else Variation.USUALLY
    if text in IDENTITIES:
        return Variation.BETWEEN_HOSTS if text in HOSTS else Variation.ALWAYS
    return None


def _is_coarse(key: tuple[object, ...]) -> bool:
    """Whether an operation on a time gives days or hours only, or a part of a text that is not known."""
    texts = [str(part[1]) for part in key if isinstance(part, tuple) and part[0] == "str" and len(part) == 2]
    methods = [str(part[1]) for part in key if isinstance(part, tuple) and part[0] == "method"]
    is_cut = key[0] in (("str", "item"), ("str", "part"))
    return is_cut or any(map(is_coarse_format, texts)) or any(map(is_coarse_part, (*texts[1:], *methods)))


def own_variation(one: object, other: object, ranks: tuple[int, int]) -> Variation | None:
    """How often texts that two ranks compute alike differ by values that each has made; None if that is not known."""
    mine, theirs = parts(one), parts(other)
    if one == other or alike(mine) != alike(theirs):
        return None
    found = [
        {kind for value, kind in origins(path) if maker(value) == rank}
        for path, rank in ((mine, ranks[0]), (theirs, ranks[1]))
    ]
    return next((kind for kind in Variation if all(kind in kinds for kinds in found)), None)


def is_folder_with_name(path: Parts) -> bool:
    """Whether the path is a folder that a function has made together with its name."""
    return _name_of_function(path) in FOLDERS


def is_file_with_name(path: Parts) -> bool:
    """Whether the path is an empty file that a function has made together with its name."""
    return _name_of_function(path) in FILES


def _name_of_function(path: Parts) -> object:
    if len(path) != 1 or len(path[0]) != 1:
        return None
    symbol = path[0][0]
    name = symbol.key[4] if isinstance(symbol, Symbol) and is_made_by_rank(symbol) else None
    return name[1] if isinstance(name, tuple) else None


_OF_PROCESS = frozenset(
    {"local part", "addressable_shards", "addressable_data", "addressable_devices", "local_devices"}
)
"""What one process of JAX holds."""

_DEEPEST = 12


def is_of_process(symbol: Symbol) -> bool:
    """Whether a value is computed from what one process of JAX holds: paths and tests of it are its own."""
    return not _OF_PROCESS.isdisjoint(symbol.words(_DEEPEST))
