"""Messages between the waveform ranks and the inventory rank."""
import enum
from dataclasses import dataclass


class Tag(enum.IntEnum):
    REQUEST = 21
    REPLY = 22
    DONE = 23


@dataclass(frozen=True)
class Request:
    serial: int
    network: str
    station: str


@dataclass(frozen=True)
class Reply:
    serial: int
    gain: float
    corner: float


class ReplyTimeout(RuntimeError):
    """The inventory did not answer in time."""
