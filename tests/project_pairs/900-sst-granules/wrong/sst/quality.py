from dataclasses import dataclass

import numpy as np

from .swath import ROW_FIELDS


@dataclass
class QualityFilter:
    max_zenith: float = 55.0
    max_cloud: float = 0.7

    def apply(self, rows):
        zenith = rows[:, ROW_FIELDS.index("zenith")]
        cloud = rows[:, ROW_FIELDS.index("cloud")]
        keep = (zenith <= self.max_zenith) & (cloud <= self.max_cloud)
        return np.ascontiguousarray(rows[keep])
