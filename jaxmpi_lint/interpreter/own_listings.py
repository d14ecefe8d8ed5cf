"""Listings of a folder in which a rank looks for its files only: it does not matter which others are there yet."""

from __future__ import annotations

import re

from jaxmpi_lint.interpreter.events import Place

_RANK = re.compile(r"\{[^{}]*(?:rank|process_index|proc_?id)", re.IGNORECASE)


def looks_for_own(place: Place) -> bool:
    """Whether the function around a listing makes a text with the rank, by which it may select."""
    module, (start, end) = place.module, place.span
    around = [one.span for one in module.functions.values() if one.span[0] <= start and end <= one.span[1]]
    inner = min(around, key=lambda span: span[1] - span[0], default=None)
    is_body = inner is None or inner == module.body.span
    return (
        _RANK.search(module.source(module.statement_around(place.span) if is_body or inner is None else inner))
        is not None
    )
