"""The options that concern the monitor, with the defaults of `options.TABLE`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from jaxmpi_lint.runtime.settings.options import read_canonical


@dataclass(frozen=True, slots=True)
class MonitorOptions:
    """Their values."""

    on_error: str
    exitcode: int
    stall_seconds: float
    stall_action: str
    history: int
    suppressions: str
    log_dir: str
    max_reports: int
    buffering: str
    hold_ms: int
    deadlock_ms: int
    fail_on: str
    summary: str
    keep: int
    attach_seconds: float
    hosts: str
    interface: str
    fan_out: int
    strict: int

    @classmethod
    def parse(cls, text: str) -> MonitorOptions:
        """The options in the canonical text, which has been validated."""
        values = read_canonical(text)
        return cls(**{field.name: values[field.name] for field in fields(cls)})  # type: ignore[arg-type]
