"""Names of variables that hold strings, where nothing else determines the type."""

from __future__ import annotations

import re

NAME_OF_TEXT = re.compile(
    r"(?<![a-z])(?:word|term|text|string|str|name|url|uri|path|file|filename|kmer|sentence|line|title|symbol|hostname|"
    r"username|email|city|country|species|gene|ngram|barcode|sequence|seq)$",
    re.IGNORECASE,
)
"""Names of strings; a token, a label, a key or an id may well be a number."""
