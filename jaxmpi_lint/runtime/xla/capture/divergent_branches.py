"""The finding about a conditional with a collective in which devices of one group provably take different branches."""

from __future__ import annotations

from collections.abc import Sequence

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.xla.programs import branches


def finding(name: str, hlo_text: str, processes: Sequence[int]) -> Finding | None:
    """The finding about a program, None if there is none; ``processes`` are those of its devices, by position."""
    found = branches.divergence(hlo_text)
    if found is None or max(found.branches) >= len(processes):
        return None
    one, own = found.collective, found.branch
    sides = []
    for branch in sorted(set(found.branches.values()), key=lambda each: each != own):
        devices = [device for device, taken in found.branches.items() if taken == branch]
        ranks = tuple(sorted({processes[device] for device in devices}))
        text = f"branch {branch} on {wording.ranks(devices).replace('rank', 'device')}"
        site = one.site if branch == own else found.conditional
        remark = f"reaches {one.kind}" if branch == own else f"does not reach this {one.kind}"
        sides.append(Side(ranks, f"{name}: {text}", site, remark, branch != own))
    ranks = tuple(sorted({processes[device] for device in found.branches}))
    message = (
        f"{name} has {one} in branch {own} of a conditional, and devices of one group take different branches, because "
        "the predicate depends on the device's position in the mesh"
    )
    return Finding("JS512", message, ranks, tuple(sides))
