"""Derived facts of the project or of a function: computed once, on demand, and discarded as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

Service = TypeVar("Service")
Result_co = TypeVar("Result_co", covariant=True)


class Services:
    """Keeps one instance of each requested service."""

    def __init__(self) -> None:
        self._services: dict[object, object] = {}

    def get(self, service: Callable[[Any], Service]) -> Service:
        """The one instance of a service of this object; created on first use."""
        if service not in self._services:
            self._services[service] = service(self)
        return cast(Service, self._services[service])


class derived(cached_property[Result_co]):  # noqa: N801 - a decorator, like the one that it extends
    """A cached property that ``forget`` discards."""


class Derived(Services):
    """An object whose derived facts can be discarded: its services and the ``derived`` properties."""

    def forget(self) -> None:
        """Discard derived facts; they are recomputed on the next request."""
        self._services.clear()
        for name in _names(type(self)):
            self.__dict__.pop(name, None)


_KNOWN: dict[type, tuple[str, ...]] = {}


def _names(owner: type) -> tuple[str, ...]:
    """The ``derived`` properties of a class and of its base classes."""
    if owner not in _KNOWN:
        members = (member for kind in owner.__mro__ for member in vars(kind).items())
        _KNOWN[owner] = tuple(name for name, value in members if isinstance(value, derived))
    return _KNOWN[owner]
