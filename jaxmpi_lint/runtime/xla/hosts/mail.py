"""Texts between the monitor of a host and its processes, which alone are connected to other hosts.

A text is a file in the folder of the job. It is written atomically, and replaces the previous one of its name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

HOSTS = "hosts"  # {"own": this host, "first": the host of process 0}, see `identity`
BULLETIN = "bulletin"  # of this host, for the others; the first line is its number
BULLETINS = "bulletins"  # of the other hosts, by host; only on the first host
ORDERS = "orders"  # of the first host, for all
SENT = "sent"  # the number of the bulletin that was sent last
LOST = "lost"  # why the connection to other hosts has ended
SPEAKER = "speaker"  # locked by the process that transfers the texts


def identity(folder: str) -> str:
    """The unique name of a host: hosts of equal names differ in their shared memory."""
    return f"{os.path.basename(folder)}-{os.stat(folder).st_dev:x}"


def put(folder: str, name: str, text: str) -> None:
    """Write a text; does nothing if the folder no longer exists."""
    scratch = os.path.join(folder, f"{name}.{os.getpid()}.new")
    with suppress(OSError):
        with open(
            scratch, "w", encoding="utf-8", opener=lambda file, flags: os.open(file, flags, 0o600)
        ) as file:  # fmt: skip
            file.write(text)
        os.replace(scratch, os.path.join(folder, name))


def get(folder: str, name: str) -> str:
    """The last text, "" if there is none."""
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def fields(folder: str, name: str) -> Mapping[str, Any]:
    """The last JSON object, an empty one if there is none."""
    text = get(folder, name)
    known = json.loads(text) if text else {}
    return known if isinstance(known, dict) else {}
