"""The line with which the sanitizer begins: what is checked, and what is not."""

from __future__ import annotations

_UNCHECKED = "copies between devices without a compiled program"
_BETWEEN_HOSTS = "launches between hosts"


def introduction(attached: int, expected: int, strict: bool, hosts: int = 1) -> str:
    """The first line: ``attached`` of ``expected`` processes are checked, on ``hosts`` hosts."""
    count = f"{expected}" if attached == expected else f"{attached} of {expected}"
    where = f" on {hosts} hosts" if hosts > 1 else ""
    unchecked = [_UNCHECKED] if attached == expected else [_BETWEEN_HOSTS, _UNCHECKED] if hosts == 1 else [_UNCHECKED]
    agree = ", with agreement before each launch" if strict else ""
    return (
        f"checking the launches of {count} JAX processes{where} (ranks are process indices){agree}; not checked: "
        f"{', '.join(unchecked)}"
    )
