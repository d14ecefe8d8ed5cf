"""What is derived of the project or of a function: made once, on demand, and forgotten as a whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

Service = TypeVar("Service")
Result_co = TypeVar("Result_co", covariant=True)


class Services:
    """Keeps one instance of each service that is asked for."""

    def __init__(self) -> None:
        self._services: dict[object, object] = {}

    def get(self, service: Callable[[Any], Service]) -> Service:
        """The one instance of a service of this object; made with the object when first asked for."""
        if service not in self._services:
            self._services[service] = service(self)
        return cast(Service, self._services[service])


class derived(cached_property[Result_co]):  # noqa: N801 - a decorator, as the one that it extends
    """A cached property that ``forget`` drops."""


class Derived(Services):
    """An object of which all that is derived can be forgotten, its services and the ``derived`` properties."""

    def forget(self) -> None:
        """Drop what was derived; it is made anew when it is asked for again."""
        self._services.clear()
        for name in _names(type(self)):
            self.__dict__.pop(name, None)


_KNOWN: dict[type, tuple[str, ...]] = {}


def _names(owner: type) -> tuple[str, ...]:
    """The ``derived`` properties of a class and of those that it inherits from."""
    if owner not in _KNOWN:
        members = (member for kind in owner.__mro__ for member in vars(kind).items())
        _KNOWN[owner] = tuple(name for name, value in members if isinstance(value, derived))
    return _KNOWN[owner]
