"""Message tags shared by master and workers."""
from enum import IntEnum

MASTER = 0


class Tag(IntEnum):
    WORK = 1
    RESULT = 2
    STOP = 3
