"""Messages between monitors: compressed JSON objects. Nothing in them is executed or imported."""

from __future__ import annotations

import json
import zlib
from typing import Any

PING = 2.0  # seconds between signs of life
LOST = 10.0  # seconds without a message, after which the other side is lost
_LARGEST = 256 << 20  # bytes of an unpacked message


def packed(message: dict[str, Any]) -> bytes:
    """The bytes of a message."""
    return zlib.compress(json.dumps(message, separators=(",", ":")).encode(), 6)


def unpacked(data: bytes) -> dict[str, Any]:
    """The message; ValueError if it is none."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, _LARGEST)
    except zlib.error as error:
        raise ValueError(f"not a message: {error}") from None
    if not unpacking.eof:
        raise ValueError("a message is incomplete or too large")
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("not a message")
    return message
