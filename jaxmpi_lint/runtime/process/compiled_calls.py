"""Launches of compiled functions with operations of mpi4jax or of our collectives, seen on JAX's Python side.

JAX never launches a function with ordered effects on its fast path without Python, so every launch of one is seen here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.process import operation_order
from jaxmpi_lint.runtime.settings.environment import say

_NUMBER = re.compile(rf"\b{_native.operation_attribute} = (-?\d+)")
_known: WeakKeyDictionary[Any, tuple[int, ...]] = WeakKeyDictionary()


@functools.cache
def watch() -> bool:
    """Watch every launch from now on; whether that is possible."""
    try:
        executable: Any = import_module("jax._src.interpreters.pxla").ExecuteReplicated
    except (ImportError, AttributeError):
        return False
    start = executable.__call__

    @functools.wraps(start)
    def begin(self: Any, *arguments: Any) -> Any:
        keys = _known.get(self) if self.ordered_effects else ()
        ahead: tuple[int, ...] = ()
        if keys is None:
            texts = texts_of(self)
            keys = _known[self] = operations(texts)
            ahead = certain(self, texts) if keys else ()
        if not keys:
            return start(self, *arguments)
        alone = nothing_under_way()
        _native.launch_begins(keys, alone)
        if alone and ahead:
            _native.announce(ahead)
        try:
            return start(self, *arguments)
        finally:
            _native.launch_ends()

    executable.__call__ = begin
    return True


def texts_of(executable: Any) -> list[str]:
    """The HLO text of the compiled program, one for each module; none if the platform keeps no text."""
    try:
        return [module.to_string() for module in executable.xla_executable.hlo_modules()]
    except Exception:
        return []


def operations(texts: Iterable[str]) -> tuple[int, ...]:
    """The numbers of the operations in a program, each once, in the order of its text."""
    found = [number for text in texts for number in _NUMBER.findall(text)]
    return tuple(int(number) % (1 << 64) for number in dict.fromkeys(found))


def certain(executable: Any, texts: list[str]) -> tuple[int, ...]:
    """The operations that the program begins with for all data."""
    try:
        alone = len(executable.ordered_effects) == 1 and len(executable.xla_executable.local_devices()) == 1
        if len(texts) != 1 or not alone:
            return ()
    except Exception as error:
        tell(f"{type(error).__name__}: {error}")
        return ()
    return operation_order.certain(texts[0], _native.operation_attribute)


def nothing_under_way() -> bool:
    """Whether all communicating launches that this thread made earlier have ended."""
    try:
        tokens = import_module("jax._src.dispatch").runtime_tokens.current_tokens.values()
        return all(token._buf.is_ready() for token in tokens)
    except Exception as error:
        tell(f"{type(error).__name__}: {error}")
        return False


@functools.cache
def tell(reason: str) -> None:
    """Report once that functions are not compared before they begin."""
    say(f"not checked: compiled functions before they begin ({reason})")
