"""The values of literals in the text."""

from __future__ import annotations

import ast
import warnings


def value_of(text: str) -> object:
    """The value of a literal; the text itself if it is none.

    Python warns of escapes that it does not know, such as that of a ``d``, which is not for users of this tool.
    """
    if text[0] in "\"'" and "\\" not in text and text[:3] not in ('"""', "'''"):
        return text[1:-1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
