"""What monitors tell each other before they are connected: files in the job's folder, which its first rank exchanges.

``offer`` is written by the monitor, published by the rank under MPI's name service; ``hosts`` is written by the rank,
see `hosts.cpp`. A host is described by ``ranks|key|addresses|version|options``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

OFFER, HOSTS, KEYS = "offer", "hosts", "keys"
_LONGEST = 180  # characters of an offer: what is published is limited to 250


@dataclass(frozen=True, slots=True)
class Offer:
    """How a host can be reached: ``host:port`` of the root, none of a leaf; the public key in hexadecimal digits."""

    key: str
    addresses: tuple[str, ...]
    version: str
    options: str  # their hash

    def __str__(self) -> str:
        kept = list(self.addresses)
        while len(text := "|".join((self.key, ",".join(kept), self.version, self.options))) > _LONGEST and kept:
            kept.pop()
        return text


@dataclass(frozen=True, slots=True)
class Peer:
    """Another host; ``refusal`` says why it cannot be reached."""

    ranks: tuple[int, ...]
    offer: Offer | None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The other hosts: all of them for the ``root``, the root for a ``leaf``, none, for a reason, if ``alone``."""

    role: str
    peers: tuple[Peer, ...]
    reason: str
    unchecked: str


def remove_remains(folder: Path) -> None:
    """Remove what the first rank has left for other hosts, if it could not do so itself."""
    with suppress(OSError):
        for line in (folder / HOSTS).read_text(encoding="utf-8").splitlines():
            if line.startswith("remains "):
                Path(line.partition(" ")[2]).unlink()


def leave_offer(folder: Path, offer: Offer | str) -> None:
    """Leave an offer for the first rank of this host; a text is the reason why there is none."""
    path = folder / f"{OFFER}.new"
    with open(path, "w", encoding="ascii", opener=private) as file:
        file.write(str(offer) if isinstance(offer, Offer) else f"!{offer}")
    path.rename(folder / OFFER)


def former_port(folder: Path) -> int:
    """The port at which a monitor that has ended could be reached, which other hosts know; 0: none."""
    try:
        _, addresses, *_ = (folder / OFFER).read_text(encoding="ascii").split("|")
        return int(addresses.split(",")[0].rpartition(":")[2])
    except (OSError, ValueError):
        return 0


def private(path: str, flags: int) -> int:
    """An opener of files that only their owner may read."""
    return os.open(path, flags, 0o600)


def read(folder: Path) -> Meeting | None:
    """What the first rank found; None as long as it searches. ValueError if it cannot be understood."""
    try:
        first, *rest = (folder / HOSTS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return None
    role, _, reason = first.partition(" ")
    described = [line for line in rest if not line.startswith(("unchecked ", "remains "))]
    unchecked = next((line.partition(" ")[2] for line in rest if line.startswith("unchecked ")), "")
    return Meeting(role, tuple(_peer(line) for line in described), reason, unchecked)


def _peer(line: str) -> Peer:
    ranks, _, rest = line.partition("|")
    if rest.startswith("!"):
        return Peer(expanded(ranks), None, rest[1:])
    key, addresses, version, options = rest.split("|")
    return Peer(expanded(ranks), Offer(key, tuple(filter(None, addresses.split(","))), version, options))


def expanded(text: str) -> tuple[int, ...]:
    """The ranks of ``0-3,8-14/2``."""
    found: list[int] = []
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        found += range(int(first), int(last or first) + 1, int(step or 1))
    return tuple(found)


def differing(own: Offer, peers: Sequence[Peer]) -> str:
    """Why the hosts cannot be compared; "" if they can."""
    for peer in peers:
        if peer.offer is None:
            return peer.refusal
        if peer.offer.version != own.version:
            return f"different versions of the sanitizer: {own.version} and {peer.offer.version}"
        if peer.offer.options != own.options:
            return "JAXMPI_SANITIZE or JAXMPI_SANITIZE_OPTIONS differs between hosts"
    return ""
