"""What a format replaces in a text: ``{name}`` and ``%d`` (Python library reference, `string`, `str`)."""

from __future__ import annotations

import re

FIELDS = re.compile(r"\{[^}]*\}|%[-+ #0-9.*]*[a-zA-Z]")
