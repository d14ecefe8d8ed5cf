import numpy as np


def check(table, total, cfg):
    """A sentence when the catalogue is not what was found, otherwise None."""
    if len(table) != total:
        return f"{total - len(table)} records missing"
    key = table["ix"].astype(np.int64) * cfg.cells + table["iy"]
    if np.unique(key).size != total:
        return "records are not distinct"
    if total and not (table["height"] > cfg.threshold).all():
        return "records below the threshold"
    return None
