"""User-defined functions that act as an operation of a library."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxmpi_lint.library.model import Operation
    from jaxmpi_lint.settings.settings import Wrapper


def wrapped(wrapper: Wrapper, target: Operation) -> Operation:
    """The operation ``target`` with the parameters of the wrapper: it matches direct calls of the target."""
    places = [place for place in (wrapper.communicator, wrapper.root, wrapper.value) if place is not None]
    length = max((place + 1 for place in places if isinstance(place, int)), default=0)
    keywords = tuple(place for place in places if isinstance(place, str))
    value = _parameter(wrapper.value)
    return replace(
        target,
        parameters=(*(f"argument{index}" for index in range(length)), *(("*", *keywords) if keywords else ())),
        defaults=(),
        communicator=_parameter(wrapper.communicator),
        communicator_default=target.communicator_default or "world",
        root=_parameter(wrapper.root) if target.root else None,
        reduction=None,
        sends=(value,) if value and target.sends else (),
        receives=(value,) if value and target.receives and not target.sends else (),
        template=value if target.template and not target.sends else None,
        destination=None,
        source=None,
        tag=None,
        versions=None,
    )


def _parameter(place: int | str | None) -> str | None:
    return f"argument{place}" if isinstance(place, int) else place
