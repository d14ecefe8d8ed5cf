"""Messages between hosts that no rank has received: the receiving rank, which looks at its end, sees its host only."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.judging import mismatches
from jaxmpi_lint.runtime.judging.message_counters import Messages
from jaxmpi_lint.runtime.ledger.snapshot import Channel, RawFinding, Snapshot


def between_hosts(snapshot: Snapshot, ended: Collection[int]) -> list[Finding]:
    """A finding for each pair of places, once both ranks have ended in good order."""
    if snapshot.channels_overflow:
        return []
    hosts = {rank.rank: rank.host for rank in snapshot.ranks if rank.rank in ended and not rank.uncertain}
    lying = [
        channel
        for channel in Messages(snapshot).unreceived()
        if {channel.source, channel.destination} <= hosts.keys()
        and hosts[channel.source or 0] != hosts[channel.destination]
    ]
    return mismatches.merged([mismatches.single(_raw(channel, snapshot), snapshot) for channel in _counted(lying)])


def _counted(channels: Iterable[Channel]) -> list[Channel]:
    """Those that lie between two ranks and were sent at one place as one, whatever their tags."""
    found: dict[tuple[object, ...], Channel] = {}
    for channel in channels:
        key = (channel.communicator, channel.source, channel.destination, channel.site)
        before = found.setdefault(key, channel)
        if before is not channel:
            found[key] = replace(before, sent=before.sent + channel.sent, received=before.received + channel.received)
    return list(found.values())


def _raw(channel: Channel, snapshot: Snapshot) -> RawFinding:
    """As the receiving rank would report it."""
    return RawFinding(
        "unreceived", "nothing", channel.communicator, 0, channel.destination, channel.source, None, channel.site,
        snapshot.taken, None, None, channel.sent - channel.received, 0, f"tag {channel.tag}",
    )  # fmt: skip
