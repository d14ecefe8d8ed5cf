"""Both sides of a failed assertion of JAX: `assert_equal` and `sync_global_devices` show hashes, or one side.

Each process publishes what it passes and where. If the assertion fails, the note on the exception has the names, values
and lines of all processes. The exception stays what it is: a program may expect it.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from types import FrameType, ModuleType
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.ledger import excerpt
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.checks import calls
from jaxmpi_lint.runtime.xla.hosts.exchange import Exchange

NAMES = ("sync_global_devices", "assert_equal")
KEPT_CALLS = 64  # as for the other functions, see values.py
_KEY = "asserted"
_LEAVES = 100  # of a tree
_SHORT = 16  # elements of an array that is shown
_LARGEST = 1 << 20  # bytes of an array that is compared here
_LONGEST = 200  # characters of a name or value
_SIDES = 4  # in a note


@dataclass(frozen=True, slots=True)
class Asserted:
    """One call of one process."""

    number: int  # index of the call
    function: str
    values: Mapping[str, str]  # by the path in the tree
    file: str
    line: int
    within: str


class Assertions:
    """The assertions of one process; inactive until `connect`."""

    def __init__(self) -> None:
        self._exchange: Exchange | None = None
        self._number = itertools.count()
        self._inside = False  # `sync_global_devices` calls `assert_equal`

    def connect(self, exchange: Exchange) -> None:
        """Publish from now on: `jax.distributed.initialize` has returned."""
        self._exchange = exchange

    def watch(self, module: ModuleType) -> None:
        """Wrap the assertions of `jax.experimental.multihost_utils`."""
        for name in NAMES:
            original = getattr(module, name, None)
            if original is not None and not hasattr(original, "_jaxmpi_sanitize"):
                setattr(module, name, self._watched(name, original))

    def _watched(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def checked(*arguments: Any, **named: Any) -> Any:
            if self._inside:
                return original(*arguments, **named)
            self._inside, mine = True, None
            try:
                mine = self._published(name, sys._getframe(1), (*arguments, *named.values()))
                return original(*arguments, **named)
            except AssertionError as error:
                self._explain(error, mine)
                raise
            finally:
                self._inside = False

        checked._jaxmpi_sanitize = True  # type: ignore[attr-defined]
        return checked

    def _published(self, name: str, frame: FrameType, arguments: Sequence[Any]) -> Asserted | None:
        from jaxmpi_lint.runtime.xla.checks.values import in_order, user_site

        if self._exchange is None or not arguments or not in_order():
            return None
        with suppress(Exception):  # the assertion itself matters more
            site, _ = user_site(frame)
            shown = {"": _cut(repr(arguments[0]))} if name == NAMES[0] else values(arguments[0])
            mine = Asserted(next(self._number), name, shown, site.file, site.line, site.function)
            self._exchange.publish(f"{_KEY}/{mine.number % KEPT_CALLS}", json.dumps(asdict(mine)))
            return mine
        return None

    def _explain(self, error: AssertionError, mine: Asserted | None) -> None:
        if self._exchange is None or mine is None:
            return
        with suppress(Exception):
            texts = self._exchange.read(f"{_KEY}/{mine.number % KEPT_CALLS}")
            known = {process: Asserted(**json.loads(text)) for process, text in texts.items()}
            line = note({process: one for process, one in known.items() if one.number == mine.number})
            if line:
                error.add_note(f"jaxmpi-sanitize: {line}")


def values(tree: Any) -> dict[str, str]:
    """The leaves of a tree by their paths, as text: small ones as they are, others by their type and a checksum."""
    import jax

    leaves = jax.tree_util.tree_flatten_with_path(tree)[0][:_LEAVES]
    return {jax.tree_util.keystr(path): _value(leaf) for path, leaf in leaves}


def _value(leaf: Any) -> str:
    import numpy

    kind = calls.kind(leaf)
    if not getattr(leaf, "is_fully_addressable", True):
        return kind
    array = numpy.asarray(leaf)
    if array.size <= _SHORT:
        return _cut(f"{' '.join(numpy.array2string(array, separator=', ').split())} ({kind})")
    if array.nbytes > _LARGEST:
        return kind
    return f"{kind} with checksum {hashlib.blake2b(array.tobytes(), digest_size=4).hexdigest()}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def note(calls: Mapping[int, Asserted]) -> str:
    """``rank 0 calls sync_global_devices('a') at train.py:3; rank 1 calls ...``; "" if no difference is known."""
    path = _difference(list(calls.values()))
    groups: dict[str, list[int]] = defaultdict(list)
    for process, one in sorted(calls.items()):
        groups[_call(one, path)].append(process)
    if len(groups) < 2:
        return ""
    sides = [f"{wording.ranks(ranks)} {wording.verb(ranks, 'calls', 'call')} {call}" for call, ranks in groups.items()]
    rest = f"; and {len(sides) - _SIDES} more" if len(sides) > _SIDES else ""
    return "; ".join(sides[:_SIDES]) + rest


def _difference(calls: Sequence[Asserted]) -> str:
    """The path of the first leaf in which calls differ; "" if it is not known."""
    paths = dict.fromkeys(path for one in calls for path in one.values)
    return next((path for path in paths if len({one.values.get(path) for one in calls}) > 1), "")


def _call(one: Asserted, path: str) -> str:
    value = one.values.get(path, "")
    passed = f"{path}: {value}" if path else value
    return f"{one.function}({passed}) at {excerpt.place(Site(one.file, one.line, one.within))}"
