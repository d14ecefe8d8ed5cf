"""Which rules run: the most specific selector of a code wins, as in Ruff, and ``ignore`` wins among equals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from jaxmpi_lint.findings.errors import UserError
from jaxmpi_lint.settings.settings import Settings

_Value = TypeVar("_Value")


def matches(selector: str, code: str) -> bool:
    """Whether a selector (``ALL``, a prefix such as ``JM1``, or a code) matches a code."""
    return selector == "ALL" or code.startswith(selector)


def specificity(selector: str) -> int:
    """How narrow a selector is."""
    return 0 if selector == "ALL" else len(selector)


def check(selectors: Iterable[str], codes: Collection[str], origin: str) -> None:
    """Raise an error for a selector that matches no code."""
    for selector in selectors:
        if selector and any(matches(selector, code) for code in codes):
            continue
        raise UserError(f"{origin}: unknown rule code {selector!r}; `jaxmpi-lint --list-rules` shows all codes")


def chosen(code: str, select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Whether the narrowest selector of a code is one that selects it."""
    selected = max((specificity(s) for s in select if matches(s, code)), default=-1)
    ignored = max((specificity(s) for s in ignore if matches(s, code)), default=-1)
    return selected > ignored


def enabled(settings: Settings, preview: Mapping[str, bool]) -> frozenset[str]:
    """The codes that run; ``preview`` states for every known code whether its rule is in preview."""
    for origin, selectors in settings.origins:
        check(selectors, preview, origin)
    select = (*settings.select, *settings.extend_select)
    return frozenset(
        code
        for code, early in preview.items()
        if chosen(code, select, settings.ignore) and (settings.preview or not early)
    )


def not_enabled_previews(settings: Settings, preview: Mapping[str, bool]) -> list[str]:
    """Preview rules that are selected by their full code while ``preview`` is off."""
    wanted = {*settings.select, *settings.extend_select}
    return [] if settings.preview else sorted(code for code, early in preview.items() if early and code in wanted)


def merge(configured: Mapping[str, _Value], given: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Selectors of the configuration, overridden by those of the command line where both match."""
    base = {key: _selectors(configured.get(key)) for key in ("select", "extend_select", "ignore")}
    select, extend, ignore = (given.get(key) for key in ("select", "extend_select", "ignore"))
    merged: dict[str, tuple[str, ...]] = {}
    if select is not None:
        kept = () if "select" in configured else base["ignore"]
        merged["select"] = select
        merged["extend_select"] = extend or ()
        merged["ignore"] = (*(s for s in kept if s not in (*select, *(extend or ()))), *(ignore or ()))
        return merged
    if "select" in configured:
        merged["select"] = _beyond(base["select"], ignore or ())
    merged["extend_select"] = (*_beyond(base["extend_select"], ignore or ()), *(extend or ()))
    merged["ignore"] = (*_beyond(base["ignore"], extend or ()), *(ignore or ()))
    return merged


def _selectors(value: object) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()


def _beyond(selectors: tuple[str, ...], later: tuple[str, ...]) -> tuple[str, ...]:
    """The selectors that no later one covers as a whole."""
    return tuple(s for s in selectors if not any(s.startswith(other) and other != "ALL" for other in later))
